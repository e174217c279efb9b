import { createHash } from "node:crypto";
import type { MemorySettings } from "../../agent/settings.ts";

/** A folder of the workspace. */
export interface Folder {
  readonly uri: string;
  readonly name: string;
}

/** Whose memories these are, for people: a folder's name. */
export interface NamedScope {
  readonly id: string;
  readonly name: string;
}

/** The opaque id of a folder or workspace: the same for the same address, and it does not tell the address. */
export function scopeId(uri: string): string {
  return createHash("sha256").update(uri).digest("hex").slice(0, 32);
}

/**
 * The folder that a question belongs to: that of the active file. In a workspace with several folders and no file that
 * tells them apart it is the workspace as a whole, never one folder by chance. Undefined without any folder.
 *
 * @param active address of the folder of the file that was active last, if there was one
 */
export function scopeOf(folders: readonly Folder[], active: string | undefined): NamedScope | undefined {
  const [first, ...others] = folders;
  if (first === undefined) return undefined;
  const one = others.length === 0 ? first : folders.find(({ uri }) => uri === active);
  if (one !== undefined) return { id: scopeId(one.uri), name: one.name };
  const uris = folders.map(({ uri }) => uri).sort();
  return { id: scopeId(uris.join("\n")), name: folders.map(({ name }) => name).join(", ") };
}

/** What is remembered where, and what is looked in, as the settings want it for a folder. */
export function memoryScopes(
  folder: NamedScope | undefined,
  settings: { readonly memoryScope: "workspace" | "global"; readonly memorySearchScope: "workspace" | "all" },
): Pick<MemorySettings, "scope" | "scopes"> {
  const own = folder === undefined ? [] : [folder.id];
  return {
    scope: settings.memoryScope === "global" ? "" : (folder?.id ?? ""),
    ...(settings.memorySearchScope === "all" ? {} : { scopes: [...own, ""] }),
  };
}
