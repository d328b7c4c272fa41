/** Formats file sizes. */
import { numberText } from './number-text.ts';

/** Formats a size, for example `12.3 MB`. Never returns `0 KB` for a non-empty file. */
export function sizeText(bytes: number): string {
  const megabytes = bytes / 1_048_576;
  return megabytes < 1 ? `${numberText(Math.ceil(bytes / 1024))} KB` : `${numberText(megabytes, 1)} MB`;
}
