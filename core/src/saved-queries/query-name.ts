/** Validates names of saved queries and suggests alternatives. */
import { limits } from '#api/contract/limits.ts';
import { t } from '#base/texts.ts';

/** Returns the problem with a name that the user typed; undefined if there is none. */
export function nameProblem(value: string, isTaken: (name: string) => boolean): string | undefined {
  const name = value.trim();
  if (name === '') return t('Enter a name.');
  if (name.endsWith('/')) return t('Enter a name after the slash.');
  const length = [...name].length;
  if (length > limits.savedQueryNameMax)
    return t('{0} characters at most; this has {1}.', limits.savedQueryNameMax, length);
  return isTaken(name) ? takenMessage(name) : undefined;
}

export function takenMessage(name: string): string {
  return t('"{0}" is taken (names are not case-sensitive). Choose another name.', name);
}

/** Returns "Name (2)", or the next number that is not known to be taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const stem = name.replace(/ \(\d+\)$/, '');
  for (let number = 2; ; number += 1) {
    const suffix = ` (${number})`;
    const candidate = [...stem].slice(0, limits.savedQueryNameMax - suffix.length).join('') + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}
