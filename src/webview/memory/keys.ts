/** Where one is in the table: row -1 is the head line. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** What a key does in the table. */
export type GridAction =
  | { readonly do: "move"; readonly to: Place; readonly extend: boolean }
  | { readonly do: "select" | "all" | "enter" | "edit" | "forget" | "leave" };

interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** Rows that fit into sight. */
  readonly page: number;
}

function moved(event: KeyboardEvent, { row, column }: Place, extent: Extent): Place | undefined {
  const whole = event.ctrlKey || event.metaKey;
  switch (event.key) {
    case "ArrowDown":
      return { row: row + 1, column };
    case "ArrowUp":
      return { row: row - 1, column };
    case "ArrowLeft":
      return { row, column: column - 1 };
    case "ArrowRight":
      return { row, column: column + 1 };
    case "PageDown":
      return { row: row + extent.page, column };
    case "PageUp":
      return { row: Math.max(0, row - extent.page), column };
    case "Home":
      return whole ? { row: 0, column: 0 } : { row, column: 0 };
    case "End":
      return whole
        ? { row: extent.rows - 1, column: extent.columns - 1 }
        : { row, column: extent.columns - 1 };
    default:
      return undefined;
  }
}

/** What a key does; undefined for keys that are none of the table's. */
export function gridAction(event: KeyboardEvent, place: Place, extent: Extent): GridAction | undefined {
  if (event.altKey || event.isComposing) return undefined;
  const to = moved(event, place, extent);
  if (to !== undefined) {
    const row = Math.max(-1, Math.min(extent.rows - 1, to.row));
    const column = Math.max(0, Math.min(extent.columns - 1, to.column));
    return { do: "move", to: { row, column }, extend: event.shiftKey };
  }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") return { do: "all" };
  switch (event.key) {
    case " ":
      return { do: "select" };
    case "Enter":
      return { do: "enter" };
    case "F2":
      return { do: "edit" };
    case "Delete":
    case "Backspace":
      return { do: "forget" };
    case "Escape":
      return { do: "leave" };
    default:
      return undefined;
  }
}
