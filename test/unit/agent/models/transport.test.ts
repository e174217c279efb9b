import assert from "node:assert/strict";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { systemClock } from "../../../../src/agent/models/clock.ts";
import {
  Exchange,
  type ExchangeRead,
  type HttpCall,
  type TimeLimits,
} from "../../../../src/agent/models/transport.ts";
import { gate } from "../../../support/ollama/index.ts";
import { failureOf, modelAt, ManualClock, NEVER, startBare, ASK, type BareServer } from "./support.ts";

const LIMITS: TimeLimits = { connectMs: 10_000, firstByteMs: 60_000, idleMs: 60_000 };

function get(origin: string): HttpCall {
  return { method: "GET", origin, path: "/", headers: {} };
}

describe("an HTTP exchange", () => {
  let server: BareServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it("gives up on connecting when that limit is over, and names it", async () => {
    server = await startBare((_request, response) => response.end("late"));
    const clock = new ManualClock();
    const exchange = Exchange.open(get(server.address), LIMITS, clock, NEVER);
    clock.advance(10_000);
    assert.deepEqual(await exchange.read(), {
      type: "fault",
      fault: { kind: "timeout", limit: "connect", ms: 10_000 },
    });
    assert.equal(clock.waiting, 0);
  });

  it("heeds a limit that is shorter than the one before it, and one that is longer", async () => {
    server = await startBare((_request, response) => void response.write("begun"));
    for (const idleMs of [500, 90_000]) {
      const clock = new ManualClock();
      const limits = { ...LIMITS, firstByteMs: 2_000, idleMs };
      const exchange = Exchange.open(get(server.address), limits, clock, NEVER);
      assert.equal((await exchange.read()).type, "data");
      clock.advance(idleMs - 1);
      const next = exchange.read();
      clock.advance(1);
      const fault = { kind: "timeout", limit: "idle", ms: idleMs };
      assert.deepEqual(await next, { type: "fault", fault });
      assert.equal(clock.waiting, 0);
    }
  });

  it("holds a server back while its reader is slow, and loses nothing", async () => {
    const size = 12 * 1024 * 1024;
    let sent = 0;
    const stalled = gate();
    server = await startBare((_request, response) => {
      const piece = Buffer.alloc(64 * 1024, "x");
      const send = (): void => {
        while (sent < size) {
          sent += piece.length;
          if (!response.write(piece)) {
            stalled.open();
            response.once("drain", send);
            return;
          }
        }
        response.end();
      };
      send();
    });
    const exchange = Exchange.open(get(server.address), LIMITS, systemClock, NEVER);
    let received = 0;
    let read: ExchangeRead = await exchange.read();
    await stalled.passed;
    // One turn of the event loop a time, until the sockets are full and the server stands still.
    for (let still = 0, before = -1; still < 20; before = sent) {
      await new Promise(setImmediate);
      still = sent === before ? still + 1 : 0;
    }
    assert.ok(sent < size, "the server was not held back");
    while (read.type === "data") {
      received += read.bytes.length;
      read = await exchange.read();
    }
    assert.equal(read.type, "end");
    assert.equal(received, size);
  });

  it("gives the same end however often it is read, and heeds no signal after it", async () => {
    server = await startBare((_request, response) => response.end());
    const abort = new AbortController();
    const exchange = Exchange.open(get(server.address), LIMITS, systemClock, abort.signal);
    assert.equal((await exchange.read()).type, "end");
    abort.abort();
    exchange.close();
    assert.equal((await exchange.read()).type, "end");
  });

  it("closes a connection that the server keeps open after all was said", async () => {
    const closed = gate();
    server = await startBare((_request, response) => {
      response.on("close", closed.open);
      response.write("all");
    });
    const clock = new ManualClock();
    const exchange = Exchange.open(get(server.address), LIMITS, clock, NEVER);
    assert.equal((await exchange.read()).type, "data");
    exchange.finish();
    clock.advance(2_000);
    await closed.passed;
    assert.equal(clock.waiting, 0);
  });

  it("is refused for an address that can't be sent to, without throwing", async () => {
    const exchange = Exchange.open(
      { ...get("http://127.0.0.1:1"), path: "no slash" },
      LIMITS,
      systemClock,
      NEVER,
    );
    const read = await exchange.read();
    assert.ok(read.type === "fault" && read.fault.kind === "unreachable");
  });
});

describe("a server that can't be talked to", () => {
  it("because it speaks no https says so", async () => {
    const server = await startBare((_request, response) => response.end("plain"));
    const failure = await failureOf(modelAt(server.address.replace("http:", "https:")).chat(ASK, NEVER));
    await server.close();
    assert.equal(failure.code, "server_unreachable");
    assert.match(failure.message, /does not speak https/);
  });

  it("because it speaks no HTTP at all is not Ollama", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.write("SSH-2.0-other\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const failure = await failureOf(modelAt(`127.0.0.1:${port}`).chat(ASK, NEVER));
    server.close();
    assert.match(failure.message, /is not Ollama/);
  });
});
