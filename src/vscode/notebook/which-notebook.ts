/** A cell as far as notebooks are told apart by it. */
export interface ToldCell {
  readonly text: string;
  readonly isQuestion: boolean;
  /** The turn that it shows. */
  readonly turn: string | undefined;
}

/** An open notebook that may be the one that is being saved. */
export interface OpenNotebook {
  readonly cells: readonly ToldCell[];
  readonly isDirty: boolean;
  /** Nothing can be saved where it lies, as the side of a comparison that was taken from a repository. */
  readonly isReadOnly: boolean;
}

/**
 * Which of the open notebooks of a session is the one whose cells are being saved: VS Code says only what it holds, and
 * not where it lies. One of the answers is right; there are several only where they can't be told apart.
 */
export function savedOf<T extends OpenNotebook>(
  cells: readonly ToldCell[],
  open: readonly T[],
): readonly T[] {
  const signs: readonly ((one: T) => boolean)[] = [
    (one) => !one.isReadOnly,
    (one) => sameCells(one.cells, cells),
    // A clean one may be saved elsewhere, but not while one that shows the same is waiting for it.
    (one) => one.isDirty,
  ];
  return signs.reduce<readonly T[]>((left, fits) => {
    const fitting = left.filter(fits);
    return fitting.length === 0 ? left : fitting;
  }, open);
}

function sameCells(one: readonly ToldCell[], other: readonly ToldCell[]): boolean {
  return one.length === other.length && one.every((cell, at) => sameCell(cell, other[at]));
}

function sameCell(one: ToldCell, other: ToldCell | undefined): boolean {
  return (
    one.isQuestion === other?.isQuestion && one.turn === other.turn && oneLineEnd(one) === oneLineEnd(other)
  );
}

/** A document may end its lines otherwise than what is saved of it. */
function oneLineEnd({ text }: ToldCell): string {
  return text.replace(/\r\n?/g, "\n");
}
