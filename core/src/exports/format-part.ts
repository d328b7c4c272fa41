/** Formats the progress of a partial file. */
import { t } from '#base/texts.ts';
import { sizeText } from '#base/words/size-text.ts';
import type { PartState } from './export-parts.ts';

/** Returns the progress, such as `12.3 MB of 80.0 MB`. */
export function partWords({ bytes, part }: PartState): string {
  return part.totalBytes === undefined
    ? sizeText(bytes)
    : t('{0} of {1}', sizeText(bytes), sizeText(part.totalBytes));
}
