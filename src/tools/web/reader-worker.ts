import { parentPort } from "node:worker_threads";
import { readDocument } from "./read-document.ts";
import type { WorkerAnswer, WorkerRequest } from "./worker-reader.ts";

/**
 * The entry of the reading thread: parsing a heavy page or PDF neither stops the editor nor takes it down. It is ended
 * from outside when a read is cancelled, so it has no signal of its own.
 */
parentPort?.on("message", (request: WorkerRequest) => {
  const { url, contentType, bytes, cut } = request;
  const body = {
    url,
    contentType,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    cut,
  };
  void readDocument(body, new AbortController().signal).then((result) => {
    const answer: WorkerAnswer = { id: request.id, result };
    parentPort?.postMessage(answer);
  });
});
