import { createGate, type Gate } from "./gate.ts";

/** A gate for each server. */
export interface HostGates {
  /** The gate of a server by its address; left out: of the first one. */
  readonly of: (host?: string) => Gate;
  /** Changes how many requests each server may work on at once. */
  resize(places: number): void;
}

/** Gates with one place each. */
export function createHostGates(): HostGates {
  const gates = new Map<string, Gate>();
  let places = 1;
  return {
    of: (host = "") => {
      let gate = gates.get(host);
      if (gate === undefined) {
        gate = createGate(places);
        gates.set(host, gate);
      }
      return gate;
    },
    resize: (next) => {
      places = next;
      for (const gate of gates.values()) gate.resize(next);
    },
  };
}
