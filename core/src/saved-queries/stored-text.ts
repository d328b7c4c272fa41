/**
 * How a service normalizes stored texts: some trim lines or the whole, add a final line break, or normalize accents.
 * Each save shows how; a normalized copy of one's own text is then not a conflict. Pure.
 */
import { isSameText, plainText } from './same-text.ts';

type Change = (text: string) => string;

/** Known normalisations, in an order in which they commute. */
const changes: readonly Change[] = [
  (text) => text.normalize('NFC'),
  (text) =>
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n'),
  (text) => text.trimStart(),
  (text) => text.trimEnd(),
  (text) => (text.endsWith('\n') ? text : `${text}\n`),
];

/** From the fewest changes to all of them. */
const combinations: readonly (readonly Change[])[] = Array.from({ length: 2 ** changes.length }, (_, bits) =>
  changes.filter((_change, index) => (bits & (1 << index)) !== 0),
).sort((a, b) => a.length - b.length);

/** @returns undefined if no normalization explains the stored text. */
export function storedFormOf(sent: string, stored: string): Change | undefined {
  const plain = plainText(stored);
  // Normalization changes only spaces and accents, so this check alone distinguishes most different texts.
  if (inkOf(sent) !== inkOf(stored)) return undefined;
  const found = combinations.find((each) => applied(each, sent) === plain);
  return found && ((text) => applied(found, text));
}

/** The normalisations of one service. */
export class StoredForm {
  #change: Change = (text) => text;

  readonly apply: Change = (text) => this.#change(text);

  /** A record was returned for a saved text. */
  learn(sent: string, stored: string): void {
    if (isSameText(sent, stored) || isSameText(this.apply(sent), stored)) return;
    this.#change = storedFormOf(sent, stored) ?? this.#change;
  }
}

/** Whether a stored text equals the sent one, apart from normalization. */
export function isOnlyReshaped(sent: string, stored: string): boolean {
  return isSameText(sent, stored) || storedFormOf(sent, stored) !== undefined;
}

function applied(combination: readonly Change[], text: string): string {
  return combination.reduce((changed, change) => change(changed), plainText(text));
}

function inkOf(text: string): string {
  return text.normalize('NFC').replace(/\s/g, '');
}
