import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes the versions of a table that are older than a moment, with the files that none but they name, and gives how
 * many. The library does this itself, but only after it has put files together: when that fails, versions would pile
 * up without end. The newest version always stays, and so does what no removed version names: another window may be
 * writing it.
 */
export async function pruneVersions(folder: string, before: number): Promise<number> {
  const versions = await filesOf(join(folder, "_versions"), ".manifest");
  // Names count down, so that the newest comes first.
  const [newest, ...older] = versions.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (newest === undefined) return 0;
  const old = older.filter(({ time }) => time < before);
  const isOld = new Set(old.map(({ name }) => name));
  const removed = await contents(old);
  const kept = await contents(versions.filter(({ name }) => !isOld.has(name)));
  const onlyOld = (name: string | Buffer): boolean =>
    removed.some((manifest) => manifest.includes(name)) && !kept.some((manifest) => manifest.includes(name));
  const data = await filesOf(join(folder, "data"), ".lance");
  const indexes = await readdir(join(folder, "_indices")).catch(() => []);
  // First what leads to the files, then the files: stopped in between, no version lacks a file.
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
  await Promise.all(data.filter(({ name }) => onlyOld(name)).map(({ path }) => rm(path, { force: true })));
  for (const id of indexes.filter((name) => onlyOld(Buffer.from(name.replaceAll("-", ""), "hex")))) {
    await rm(join(folder, "_indices", id), { recursive: true, force: true });
  }
  const transactions = await filesOf(join(folder, "_transactions"), ".txn");
  await Promise.all(
    transactions
      .filter(({ name, time }) => time < before && !kept.some((manifest) => manifest.includes(name)))
      .map(({ path }) => rm(path, { force: true })),
  );
  return old.length;
}

interface TableFile {
  readonly name: string;
  readonly path: string;
  /** When it was written, in milliseconds since the epoch. */
  readonly time: number;
}

async function filesOf(folder: string, ending: string): Promise<TableFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names
    .filter((name) => name.endsWith(ending))
    .map(async (name): Promise<TableFile[]> => {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => undefined);
      return stats === undefined ? [] : [{ name, path, time: stats.mtimeMs }];
    });
  return (await Promise.all(files)).flat();
}

async function contents(files: readonly TableFile[]): Promise<Buffer[]> {
  const read = files.map(({ path }) => readFile(path).catch(() => Buffer.alloc(0)));
  return Promise.all(read);
}
