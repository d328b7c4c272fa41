/** Tags of controls, and filters that match them: `soc2=CC6` matches every criterion below CC6. */
import { tagText, type Tag } from '#server/language/text/control-directives.ts';

export { tagText, type Tag };

/** Parses a tag such as `soc2=CC6`; undefined if the text is not a tag. */
export function parseTag(text: string): Tag | undefined {
  const match = /^([A-Za-z][\w.-]*)(?:=([\w.:/-]+))?$/.exec(text.trim());
  if (match?.[1] === undefined) return undefined;
  return match[2] === undefined ? { name: match[1] } : { name: match[1], value: match[2] };
}

/**
 * Returns whether one of the tags matches `wanted`. A tag without a value matches any value; `CC6` matches `CC6.1` but
 * not `CC61`. Case-insensitive.
 */
export function hasTag(tags: readonly Tag[], wanted: Tag): boolean {
  return tags.some(({ name, value = '' }) => {
    if (name.toLowerCase() !== wanted.name.toLowerCase()) return false;
    const sought = wanted.value?.toLowerCase();
    const found = value.toLowerCase();
    return (
      sought === undefined ||
      found === sought ||
      (found.startsWith(sought) && /^[^a-z0-9]/.test(found.slice(sought.length)))
    );
  });
}
