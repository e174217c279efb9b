import type { MemoryPort } from "./port.ts";

/** Memory of which some requests are answered otherwise; all others go on to it as they are. */
export function memoryOver(memory: MemoryPort, own: Partial<MemoryPort>): MemoryPort {
  return new Proxy(memory, {
    get: (target, key) => {
      const answered: unknown = Object.hasOwn(own, key) ? Reflect.get(own, key) : undefined;
      if (answered !== undefined) return answered;
      const value: unknown = Reflect.get(target, key, target);
      // Methods of the real one expect the real one.
      return typeof value === "function" ? (value as (...given: unknown[]) => unknown).bind(target) : value;
    },
  });
}
