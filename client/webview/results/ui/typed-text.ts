/** The text that is typed to find an item of a menu or a list. */

/** How long the next character belongs to the text typed before. */
const typingMs = 1_000;

/** Finds the item that is typed: one that starts with the text, or has a word or number that does. */
export class TypedText {
  #text = '';
  #at = -Infinity;
  readonly #labelOf: (item: HTMLElement) => string;

  constructor(labelOf: (item: HTMLElement) => string) {
    this.#labelOf = labelOf;
  }

  find(
    { key, timeStamp, ctrlKey, metaKey, altKey }: KeyboardEvent,
    now: number,
    choices: readonly HTMLElement[],
  ) {
    const isNew = timeStamp - this.#at > typingMs;
    // Without a text before it, a space chooses the item.
    if ([...key].length !== 1 || ctrlKey || metaKey || altKey || (key === ' ' && isNew)) return undefined;
    const text = (isNew ? '' : this.#text) + key.toLowerCase();
    this.#at = timeStamp;
    // The same character again goes on to the next item.
    const isRepeated = [...text].every((one) => one === key.toLowerCase());
    this.#text = text;
    const from = isNew || isRepeated ? now + 1 : now;
    const order = choices.map((_, index) => (from + index + choices.length) % choices.length);
    const labels = choices.map((item) => this.#labelOf(item).toLowerCase());
    const places = (wanted: string) => [
      order.find((index) => labels[index]?.startsWith(wanted)),
      order.find((index) => hasWord(labels[index] ?? '', wanted)),
    ];
    return [...places(text), ...(isRepeated ? places(key.toLowerCase()) : [])].find(
      (one) => one !== undefined,
    );
  }
}

/** Returns whether a word or number of the label starts with the text. */
function hasWord(label: string, text: string): boolean {
  for (let at = label.indexOf(text); at >= 0; at = label.indexOf(text, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(label.charAt(at - 1))) return true;
  return false;
}
