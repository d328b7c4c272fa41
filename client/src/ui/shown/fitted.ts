/** An object of the editor whose texts are made fit where they are set. */

export type Fits<T> = { readonly [K in keyof T]?: (value: T[K]) => T[K] };

/** Looks and acts like the target, which gets the texts that `fits` make of those that are set. */
export function fitted<T extends object>(target: T, fits: Fits<T>): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key);
      // The editor's own objects know only themselves.
      return typeof value === 'function' && isChangeable(object, key) ? bound(value, object) : value;
    },
    set: (object, key, value: unknown) => Reflect.set(object, key, fitOf(fits, key)(value)),
  });
}

/** What is there for good must be handed out as it is. */
function isChangeable(object: object, key: PropertyKey): boolean {
  return Object.getOwnPropertyDescriptor(object, key)?.configurable !== false;
}

function bound(method: unknown, object: object): unknown {
  return (...args: readonly unknown[]): unknown => Reflect.apply(method as () => unknown, object, args); // a function, as its caller has seen
}

function fitOf<T>(fits: Fits<T>, key: PropertyKey): (value: unknown) => unknown {
  const fit: unknown = Reflect.get(fits, key);
  return typeof fit === 'function'
    ? (value) => Reflect.apply(fit, undefined, [value]) as unknown
    : (value) => value;
}

/** A text that may be missing. */
export function whereGiven<T>(fit: (text: string) => string): (value: T) => T {
  return (value) => (typeof value === 'string' ? (fit(value) as T) : value); // a text stays one
}
