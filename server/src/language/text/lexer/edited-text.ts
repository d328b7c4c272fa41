/** Finds the unchanged parts of edited text. */

export interface EditedText {
  /** Lengths of the common prefix and suffix. Their sum is at most the shorter string's length. */
  readonly prefix: number;
  readonly suffix: number;
}

const compared = 1_024;

/** Returns undefined if the strings share little. */
export function editBetween(before: string, after: string): EditedText | undefined {
  const shorter = Math.min(before.length, after.length);
  let prefix = 0;
  // Compare whole chunks first, which is faster than single characters.
  while (prefix + compared <= shorter && after.startsWith(before.slice(prefix, prefix + compared), prefix))
    prefix += compared;
  while (prefix < shorter && before.charCodeAt(prefix) === after.charCodeAt(prefix)) prefix++;
  const most = shorter - prefix;
  let suffix = 0;
  while (
    suffix + compared <= most &&
    after.endsWith(
      before.slice(before.length - suffix - compared, before.length - suffix),
      after.length - suffix,
    )
  ) {
    suffix += compared;
  }
  while (
    suffix < most &&
    before.charCodeAt(before.length - 1 - suffix) === after.charCodeAt(after.length - 1 - suffix)
  ) {
    suffix++;
  }
  return 2 * (prefix + suffix) < shorter ? undefined : { prefix, suffix };
}
