/** What an access assignment gives access to, by its types: the specification leaves their values open. */
export type AssignedObject = 'group' | 'application' | undefined;

/** @param types the type of the object as its source names it, and in system-wide terms. */
export function assignedObjectOf(types: readonly string[]): AssignedObject {
  const kinds = types.map((type): AssignedObject => {
    // A role or permission of an application, or one of its instances, is no application.
    if (/role|permission|entitlement|instance/i.test(type)) return undefined;
    if (/group/i.test(type)) return 'group';
    return /application/i.test(type) || wordsOf(type).some((word) => /^apps?$/.test(word))
      ? 'application'
      : undefined;
  });
  return kinds.find((kind) => kind !== undefined);
}

function wordsOf(type: string): readonly string[] {
  return type
    .split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .map((word) => word.toLowerCase());
}
