/** Parses the parameter declarations in a query's comments. */

export interface ParameterDeclaration {
  readonly name: string;
  readonly type: string;
  readonly defaultText?: string | undefined;
  readonly description?: string | undefined;
}

const directive =
  /^--[ \t]*@param[ \t]+:?([\p{L}_][\p{L}\p{N}_$]*)(?:[ \t]+((?:enum\([^()\s=]*\)|[\p{L}_][\p{L}\p{N}_.]*(?:\([\d, ]+\))?)(?:\[\])?))?(?:[ \t]*=[ \t]*('(?:[^']|'')*'|[^\s]+))?(?:[ \t]+(.*))?$/iu;

/**
 * Parses the `-- @param NAME TYPE = DEFAULT TEXT` comments at the top of a document. The first declaration of a name
 * wins.
 */
export function parameterDeclarations(text: string): ReadonlyMap<string, ParameterDeclaration> {
  const found = new Map<string, ParameterDeclaration>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const trimmed = line.trim();
    if (trimmed !== '' && !trimmed.startsWith('--')) break;
    const match = directive.exec(trimmed);
    const [, name, type = 'text', defaultText, description] = match ?? [];
    if (name === undefined || found.has(name)) continue;
    found.set(name, {
      name,
      type: /^enum\(/i.test(type) ? type : type.toLowerCase(),
      defaultText: unquote(defaultText),
      description,
    });
  }
  return found;
}

function unquote(text: string | undefined): string | undefined {
  return text?.startsWith("'") === true && text.length > 1 ? text.slice(1, -1).replaceAll("''", "'") : text;
}

/** Returns whether a placeholder is alone in parentheses, as in `IN (:x)` or `ANY (:x)`, which suggests a list. */
export function isListPlace(before: string, after: string): boolean {
  return /\b(?:in|any|all|some)\s*\(\s*$/i.test(before) && /^\s*\)/.test(after);
}
