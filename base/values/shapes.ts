/**
 * Checks of what comes from elsewhere, such as a file that another version wrote. Not by the library for schemas, which
 * would make each program larger and slower to start.
 */
import { isObject } from './is-object.ts';

export type Check = (value: unknown) => boolean;

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber: Check = (value) => typeof value === 'number';
export const isFlag: Check = (value) => typeof value === 'boolean';

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

export const listOf =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((item) => isItem(item));

export const recordOf =
  (isItem: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(isItem);

type NameOfRequired<Shape> = {
  [Name in keyof Shape]-?: object extends Pick<Shape, Name> ? never : Name;
}[keyof Shape];

/** Returns a check of an object by its members: all that it must have, and others that matter. */
export function shapeOf<Shape>(
  members: Readonly<Record<NameOfRequired<Shape>, Check>> & Readonly<Partial<Record<keyof Shape, Check>>>,
): (value: unknown) => value is Shape {
  const checks: readonly (readonly [string, Check])[] = Object.entries(members);
  return (value): value is Shape =>
    isObject(value) && checks.every(([name, isMember]) => isMember(value[name]));
}
