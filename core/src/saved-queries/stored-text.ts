/**
 * How a service changes texts as it stores them: some trim lines or the whole, end it with a line end, or write accents
 * in one form. What a service sent back for a save teaches how; its own text is then no conflict for anybody. Pure.
 */
import { isSameText, plainText } from './same-text.ts';

type Change = (text: string) => string;

/** What services do, in the order in which it makes no difference. */
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

/** @returns undefined where the stored text is another one than was sent, however it is changed. */
export function storedFormOf(sent: string, stored: string): Change | undefined {
  const plain = plainText(stored);
  // Nothing here adds or takes more than spaces and accents: most texts that differ are told apart by this alone.
  if (inkOf(sent) !== inkOf(stored)) return undefined;
  const found = combinations.find((each) => applied(each, sent) === plain);
  return found && ((text) => applied(found, text));
}

/** What is known of one service. */
export class StoredForm {
  #change: Change = (text) => text;

  readonly apply: Change = (text) => this.#change(text);

  /** A record came back for a text that was saved. */
  learn(sent: string, stored: string): void {
    if (isSameText(sent, stored) || isSameText(this.apply(sent), stored)) return;
    this.#change = storedFormOf(sent, stored) ?? this.#change;
  }
}

/** Whether a stored text is the one that was sent, but for such changes. */
export function isOnlyReshaped(sent: string, stored: string): boolean {
  return isSameText(sent, stored) || storedFormOf(sent, stored) !== undefined;
}

function applied(combination: readonly Change[], text: string): string {
  return combination.reduce((changed, change) => change(changed), plainText(text));
}

function inkOf(text: string): string {
  return text.normalize('NFC').replace(/\s/g, '');
}
