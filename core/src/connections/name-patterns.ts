/**
 * Finds the connections that a list of names and patterns means. A pattern never reaches what must be named: the
 * sandbox, a database of one's own, and a protected connection.
 */
import type { ConnectionProfile } from './connection-profile.ts';

/** A connection to choose from. An entry that cannot be used counts too, so that it is not passed over in silence. */
export interface NamedConnection {
  readonly name: string;
  /** Undefined if the entry cannot be used. */
  readonly profile?: Pick<ConnectionProfile, 'protected' | 'source'> | undefined;
}

export interface MeantConnections {
  /** Without repetitions, in the order of the names; those of a pattern in their own order. */
  readonly names: readonly string[];
  /** Names and patterns that mean no connection. */
  readonly unknown: readonly string[];
  /** Connections that a pattern matches, but that must be named. */
  readonly leftOut: readonly string[];
}

/** @param wanted names, or patterns in which `*` stands for any characters. A name with a `*` is a name first. */
export function meantConnections(
  wanted: readonly string[],
  all: readonly NamedConnection[],
): MeantConnections {
  const names = new Set<string>();
  const leftOut = new Set<string>();
  const unknown: string[] = [];
  for (const one of wanted) {
    if (all.some(({ name }) => name === one)) {
      names.add(one);
      continue;
    }
    const matching = one.includes('*') ? all.filter(({ name }) => matches(one, name)) : [];
    if (matching.length === 0) unknown.push(one);
    for (const each of matching) (mustBeNamed(each) ? leftOut : names).add(each.name);
  }
  return { names: [...names], unknown, leftOut: [...leftOut].filter((name) => !names.has(name)) };
}

function mustBeNamed({ profile }: NamedConnection): boolean {
  // An entry that cannot be used is chosen, which then fails: the person learns of it.
  return profile !== undefined && (profile.protected || profile.source !== 'settings');
}

/** Compares by hand, since a regular expression of many stars takes exponential time. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop() ?? '';
  if (!name.startsWith(first) || name.length < first.length + last.length) return false;
  if (!name.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** Splits `prod-eu,prod-us`; blanks around a name are not part of it. */
export function splitNames(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
