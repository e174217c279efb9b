import type { MemoryEmbedding, MemoryWork } from "../../trace/panel-memory.ts";
import type { HostMessage } from "../../trace/panel-protocol.ts";

/** What the host says of memory by itself: what is at work, and what came of it. */
export class MemoryNews {
  work: MemoryWork | null = null;
  embedding: MemoryEmbedding = { waiting: 0, paused: false };
  /** What the folder that is open is called, if it has a name. */
  place: string | null = null;
  /** What came of the last thing that took its time. */
  told = "";

  /** Takes news; passes over all other messages. */
  receive(message: HostMessage): void {
    switch (message.type) {
      case "memory.work":
        this.work = message.work;
        break;
      case "memory.embedding":
        this.embedding = message.embedding;
        break;
      case "memory.told":
        this.told = message.text;
        break;
      case "memory.here":
        this.place = message.name;
        break;
      default:
        break;
    }
  }
}
