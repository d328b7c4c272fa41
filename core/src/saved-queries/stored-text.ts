/**
 * Detects how a service normalizes text: some trim lines or the whole text, add a final line break, or normalize
 * accents. Every save provides evidence, so that a normalized copy of the user's own text is not treated as a conflict.
 * Pure.
 */
import { isSameText, plainText } from './same-text.ts';

type Change = (text: string) => string;

/** Known normalizations, in the order in which they are applied. */
const changes: readonly Change[] = [
  (text) => text.normalize('NFD'),
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

/** All combinations, from the fewest normalizations to all of them. */
const combinations: readonly (readonly Change[])[] = Array.from({ length: 2 ** changes.length }, (_, bits) =>
  changes.filter((_change, index) => (bits & (1 << index)) !== 0),
).sort((a, b) => a.length - b.length);

/** Finds the normalization that turns the sent text into the stored one. @returns undefined if there is none. */
export function storedFormOf(sent: string, stored: string): Change | undefined {
  const plain = plainText(stored);
  // Normalization changes only whitespace and accents, so this quick check rules out most other text.
  if (inkOf(sent) !== inkOf(stored)) return undefined;
  const found = combinations.find((each) => applied(each, sent) === plain);
  return found && ((text) => applied(found, text));
}

/** The normalization that one service applies. */
export class StoredForm {
  #change: Change = (text) => text;

  readonly apply: Change = (text) => this.#change(text);

  /** Learns from the record that the service returned for a save. */
  learn(sent: string, stored: string): void {
    if (isSameText(sent, stored) || isSameText(this.apply(sent), stored)) return;
    this.#change = storedFormOf(sent, stored) ?? this.#change;
  }
}

/** Returns whether stored text differs from sent text only by normalization. */
export function isOnlyReshaped(sent: string, stored: string): boolean {
  return isSameText(sent, stored) || storedFormOf(sent, stored) !== undefined;
}

/** Returns the form that a text and all its stored forms have in common. */
export function commonForm(text: string): string {
  return applied(
    changes.filter((change) => change('') === ''),
    text,
  );
}

function applied(combination: readonly Change[], text: string): string {
  return combination.reduce((changed, change) => change(changed), plainText(text));
}

function inkOf(text: string): string {
  return text.normalize('NFC').replace(/\s/g, '');
}
