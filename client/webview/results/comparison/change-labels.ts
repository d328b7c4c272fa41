/** The kind of change to a row, in one word. */
import type { ChangeKind } from '#panel-protocol/rows.ts';
import { t } from '../ui/l10n.ts';

const words: Readonly<Record<ChangeKind, string>> = {
  added: t('added'),
  removed: t('removed'),
  changed: t('changed'),
  unchanged: t('unchanged'),
};

export function changeWords(kind: ChangeKind): string {
  return words[kind];
}
