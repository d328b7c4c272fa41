/** Progress messages shown while pages are read. */
import { t } from '#base/texts.ts';

export function preparingWords(): string {
  return t('The service is still preparing these rows.');
}
