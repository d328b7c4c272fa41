/** A proxy for an editor object that makes text safe when it is set. */

export type Fits<T> = { readonly [K in keyof T]?: (value: T[K]) => T[K] };

/**
 * Returns a proxy that behaves like the target but processes text with `fits` before setting it.
 * @param before functions to be called before methods of the target.
 */
export function fitted<T extends object>(
  target: T,
  fits: Fits<T>,
  before: { readonly [K in keyof T]?: () => void } = {},
): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key);
      // Bind methods to the original object, since editor objects check their own identity.
      return typeof value === 'function' && isChangeable(object, key)
        ? bound(value, object, Reflect.get(before, key))
        : value;
    },
    set: (object, key, value: unknown) => Reflect.set(object, key, fitOf(fits, key)(value)),
  });
}

/** Returns whether a member may be wrapped: proxies must return non-configurable members unchanged. */
function isChangeable(object: object, key: PropertyKey): boolean {
  return Object.getOwnPropertyDescriptor(object, key)?.configurable !== false;
}

function bound(method: unknown, object: object, first: unknown): unknown {
  return (...args: readonly unknown[]): unknown => {
    if (typeof first === 'function') Reflect.apply(first, undefined, []);
    return Reflect.apply(method as () => unknown, object, args); // a function
  };
}

function fitOf<T>(fits: Fits<T>, key: PropertyKey): (value: unknown) => unknown {
  const fit: unknown = Reflect.get(fits, key);
  return typeof fit === 'function'
    ? (value) => Reflect.apply(fit, undefined, [value]) as unknown
    : (value) => value;
}

/** Applies `fit` to strings; leaves other values unchanged. */
export function whereGiven<T>(fit: (text: string) => string): (value: T) => T {
  return (value) => (typeof value === 'string' ? (fit(value) as T) : value); // a string stays a string
}
