/** A result's version, next to its title. */
import type { RunHeader } from '#panel-protocol/messages.ts';
import { t } from './l10n.ts';

/** Returns words such as `v4 (edited)`; empty if the query was never saved. */
export function versionWords({ version, isModified }: Pick<RunHeader, 'version' | 'isModified'>): string {
  const words = version === undefined ? [] : [`v${version}`];
  if (isModified === true) words.push(t('(edited)'));
  return words.join(' ');
}
