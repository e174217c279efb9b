/**
 * A function that works out what belongs to an object once: what it gave is kept with the object, for as long as that is
 * there. For objects that never change.
 */
export function oncePer<Key extends WeakKey, Value extends object | string | number | boolean>(
  work: (of: Key) => Value,
): (of: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (of) => {
    let value = known.get(of);
    if (value === undefined) {
      value = work(of);
      known.set(of, value);
    }
    return value;
  };
}
