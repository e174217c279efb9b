import assert from "node:assert/strict";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { ASK, failureOf, modelAt, NEVER } from "./support.ts";

/** A server that takes a request on a connection, and then is gone: as one that was stopped while it was kept open. */
function vanishing(): Promise<{ readonly host: string; readonly close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => {
      server.close();
      for (const one of sockets) one.destroy();
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      const close = () => new Promise<void>((done) => void server.close(() => done()));
      resolve({ host: `http://127.0.0.1:${port}`, close });
    });
  });
}

describe("a server that is gone behind a connection that was kept", () => {
  it("is said not to run, as one that was never there", async () => {
    const { host, close } = await vanishing();
    const failure = await failureOf(modelAt(host).chat(ASK, NEVER));
    await close();
    assert.equal(failure.code, "server_unreachable");
    assert.match(failure.message, /Ollama is not running at/);
  });
});
