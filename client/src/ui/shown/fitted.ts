/** A proxy for an editor object that makes texts safe when they are set. */

export type Fits<T> = { readonly [K in keyof T]?: (value: T[K]) => T[K] };

/** Behaves like the target, which receives texts processed by `fits`. */
export function fitted<T extends object>(target: T, fits: Fits<T>): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key);
      // Editor objects compare by their own identity.
      return typeof value === 'function' && isChangeable(object, key) ? bound(value, object) : value;
    },
    set: (object, key, value: unknown) => Reflect.set(object, key, fitOf(fits, key)(value)),
  });
}

/** Proxy invariants: non-configurable members must be returned unchanged. */
function isChangeable(object: object, key: PropertyKey): boolean {
  return Object.getOwnPropertyDescriptor(object, key)?.configurable !== false;
}

function bound(method: unknown, object: object): unknown {
  return (...args: readonly unknown[]): unknown => Reflect.apply(method as () => unknown, object, args); // a function, as checked by its caller
}

function fitOf<T>(fits: Fits<T>, key: PropertyKey): (value: unknown) => unknown {
  const fit: unknown = Reflect.get(fits, key);
  return typeof fit === 'function'
    ? (value) => Reflect.apply(fit, undefined, [value]) as unknown
    : (value) => value;
}

/** Fits a value that is a string; leaves any other value unchanged. */
export function whereGiven<T>(fit: (text: string) => string): (value: T) => T {
  return (value) => (typeof value === 'string' ? (fit(value) as T) : value); // a string stays a string
}
