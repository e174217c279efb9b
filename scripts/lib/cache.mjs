/** The folder outside the checkout where downloads and builds are kept between runs. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** `CONCLAVE_CACHE`, else the system's cache folder. */
export function cacheRoot() {
  if (process.env.CONCLAVE_CACHE) return process.env.CONCLAVE_CACHE;
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches", "conclave");
  if (process.platform === "win32") {
    return join(process.env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "conclave", "cache");
  }
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "conclave");
}

/**
 * A cached folder, made once: `make` fills a temporary one, which takes its place only when it is whole, so that an
 * interrupted or a concurrent run leaves no half.
 *
 * @param {string} name names the content and its version
 * @param {(folder: string) => Promise<void>} make
 * @returns {Promise<string>} the folder's path
 */
export async function cached(name, make) {
  const folder = join(cacheRoot(), name);
  if (existsSync(folder)) return folder;
  await mkdir(cacheRoot(), { recursive: true });
  const building = await mkdtemp(join(cacheRoot(), `.${name}-`));
  try {
    await make(building);
    await rename(building, folder);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
