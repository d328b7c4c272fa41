/**
 * Encodes the identity of a document in the authority of its URI, which tabs and breadcrumbs do not show. The editor
 * converts authorities to lower case, so everything except lowercase letters, digits and hyphens is encoded as bytes.
 */
export function authorityOf(...parts: readonly string[]): string {
  return parts.map(written).join('.');
}

/** @returns undefined for text that `authorityOf` cannot have produced, or if the number of parts differs. */
export function partsOfAuthority(authority: string, count: number): readonly string[] | undefined {
  const parts = authority.split('.');
  if (parts.length !== count || !parts.every((part) => /^(?:[a-z\d-]|_[\da-f]{2})+$/.test(part)))
    return undefined;
  return parts.map(read);
}

function written(text: string): string {
  return text.replaceAll(/[^a-z\d-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function read(part: string): string {
  const bytes = [...part.matchAll(/_([\da-f]{2})|[^_]/g)].map(([one, byte]) =>
    byte === undefined ? one.charCodeAt(0) : Number.parseInt(byte, 16),
  );
  return Buffer.from(bytes).toString();
}
