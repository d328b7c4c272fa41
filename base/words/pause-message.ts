import { t } from '../texts.ts';
import { clockText } from './moment-text.ts';

/** Explains a pause, for example "The service limits requests. Retrying at 14:03:20." */
export function pauseWords(delayMs: number, isLimited = true): string {
  const at = clockText(Date.now() + delayMs);
  return isLimited
    ? t('The service limits requests. Retrying at {0}.', at)
    : t('The service is not available. Retrying at {0}.', at);
}
