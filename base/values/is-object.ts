/** Tells what is read from JSON, or from anywhere else, apart. */

/** Returns true if the value has members: it is neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
