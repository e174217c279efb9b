import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A registry on loopback with one model of a few bytes in it, for a real server to pull. */
export interface TinyRegistry {
  /** The name to pull it by. */
  readonly model: string;
  close(): Promise<void>;
}

const MANIFEST_TYPE = "application/vnd.docker.distribution.manifest.v2+json";

/** Starts the registry; it answers for every name with the same model. */
export async function startTinyRegistry(): Promise<TinyRegistry> {
  const config = Buffer.from(
    JSON.stringify({ model_format: "gguf", model_family: "llama", architecture: "amd64", os: "linux" }),
  );
  const license = Buffer.from("Nothing in here but this sentence.\n");
  const blobs = new Map([config, license].map((bytes) => [digestOf(bytes), bytes]));
  const layer = (mediaType: string, bytes: Buffer) => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: layer("application/vnd.docker.container.image.v1+json", config),
    layers: [layer("application/vnd.ollama.image.license", license)],
  });
  const server = createServer((request, response) => {
    answer(request, response, manifest, blobs);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    model: `http://127.0.0.1:${port}/conclave/tiny:latest`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  manifest: string,
  blobs: ReadonlyMap<string, Buffer>,
): void {
  const path = request.url ?? "";
  if (path.includes("/manifests/")) {
    response.writeHead(200, { "content-type": MANIFEST_TYPE }).end(manifest);
    return;
  }
  const blob = blobs.get(path.split("/").at(-1) ?? "");
  if (blob === undefined) response.writeHead(404).end();
  else sendBlob(request, response, blob);
}

/** Blobs are fetched in parts, from the place that the first answer names. */
function sendBlob(request: IncomingMessage, response: ServerResponse, blob: Buffer): void {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  const from = Number(range?.[1] ?? 0);
  const to = Math.min(range?.[2] ? Number(range[2]) : blob.length - 1, blob.length - 1);
  const part = blob.subarray(from, to + 1);
  response.writeHead(range ? 206 : 200, {
    "content-length": part.length,
    location: `http://${request.headers.host ?? ""}${request.url ?? ""}`,
    ...(range ? { "content-range": `bytes ${from}-${to}/${blob.length}` } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : part);
}
