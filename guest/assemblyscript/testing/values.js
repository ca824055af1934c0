// Configurations and error contexts as JavaScript values: null, booleans, integers
// (also BigInts), strings, Uint8Arrays, arrays, and objects.

/** The message of a value. Throws for a value that no message can have. */
export function toValue(value) {
  if (value === null || value === undefined) return {};
  if (typeof value === "boolean") return { bool: value };
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return { int: value };
  if (typeof value === "string") return { text: value };
  if (value instanceof Uint8Array) return { data: value };
  if (Array.isArray(value)) return { list: { values: value.map(toValue) } };
  if (typeof value === "object") return { map: { entries: toEntries(value) } };
  throw new TypeError(`a configuration can't have ${String(value)}`);
}

/** The entries of an object, ascending by the bytes of their keys. */
export function toEntries(object) {
  return Object.entries(object)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, value]) => ({ key, value: toValue(value) }));
}

/** The value of a message. Integers are BigInts. */
export function fromValue({ bool, int, text, data, list, map } = {}) {
  if (list !== undefined) return list.values.map(fromValue);
  if (map !== undefined) return fromEntries(map.entries);
  return bool ?? int ?? text ?? data ?? null;
}

/** The object that has the entries. */
export function fromEntries(entries) {
  return Object.fromEntries(entries.map(({ key, value }) => [key ?? "", fromValue(value)]));
}
