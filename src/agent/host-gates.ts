import { createGate, type Gate } from "./gate.ts";

/** A gate for each server. */
export interface HostGates {
  /** The gate of a server by its address; left out: of the first one. */
  readonly of: (host?: string) => Gate;
  /** The same gate, in which every other one goes first. */
  readonly low: (host?: string) => Gate;
  /** Changes how many requests each server may work on at once. */
  resize(places: number): void;
}

/** Gates with one place each. */
export function createHostGates(): HostGates {
  const gates = new Map<string, Gate>();
  let places = 1;
  const of = (host = ""): Gate => {
    let gate = gates.get(host);
    if (gate === undefined) {
      gate = createGate(places);
      gates.set(host, gate);
    }
    return gate;
  };
  return {
    of,
    low: (host) => {
      const gate = of(host);
      return { enter: (signal) => gate.enter(signal, "low"), resize: (next) => gate.resize(next) };
    },
    resize: (next) => {
      places = next;
      for (const gate of gates.values()) gate.resize(next);
    },
  };
}
