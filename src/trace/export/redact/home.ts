/** One or two of either slash: paths are written into JSON too. */
const SLASH = String.raw`[\\/]{1,4}`;
const NAME = String.raw`[^\\/\s"'<>:*?|,;()]{1,64}`;
const DRIVE = String.raw`[A-Za-z](?::|%3A)`;

const USUAL = new RegExp(
  String.raw`(?:(?<![\w.-])|(?<=://[^\s/"'<>]{0,100}))(?:(?:${DRIVE}${SLASH}|/)(?:Users|Documents and Settings)${SLASH}${NAME}|/home/${NAME}|/var/home/${NAME})`,
  "gi",
);

/** What a home folder is called instead. */
const HOME = "~";

/** Takes home folders, and with them the names of people, out of texts: the usual places, and the given one. */
export class HomeFolders {
  readonly #own: RegExp | undefined;

  /** `folder`: the home folder of this machine's user, where it is known. */
  constructor(folder?: string) {
    const parts = (folder ?? "").split(/[\\/]+/).filter((part) => part !== "");
    const pattern = parts.map(escaped).join(SLASH);
    const start = /^[A-Za-z]:/.test(parts[0] ?? "") ? "" : "/";
    this.#own = parts.length === 0 ? undefined : new RegExp(`(?<![\\w.-])${start}${pattern}(?![\\w.-])`, "g");
  }

  /** The text without them, and how many there were. */
  replace(text: string): { readonly text: string; readonly count: number } {
    if (!/[\\/]/.test(text)) return { text, count: 0 };
    let count = 0;
    const name = (): string => {
      count += 1;
      return HOME;
    };
    const own = this.#own === undefined ? text : text.replace(this.#own, name);
    return { text: own.replace(USUAL, name), count };
  }
}

function escaped(part: string): string {
  return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
