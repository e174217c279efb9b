/** A value as JSON on one line; empty for what JSON can't say. */
export function jsonText(value: unknown): string {
  try {
    const json: unknown = JSON.stringify(value);
    return typeof json === "string" ? json : "";
  } catch {
    return "";
  }
}
