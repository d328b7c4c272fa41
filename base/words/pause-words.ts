import { locale, t } from '../texts.ts';

/** Explains a pause, for example "The service limits requests. Retrying at 14:03:20." */
export function pauseWords(delayMs: number): string {
  const at = new Date(Date.now() + delayMs).toLocaleTimeString(locale());
  return t('The service limits requests. Retrying at {0}.', at);
}
