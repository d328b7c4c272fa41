/** Parses the parameter declarations in a query's comments. */
import { parameterLine } from '#server/language/checks/parameters/parameter-line.ts';

export interface ParameterDeclaration {
  readonly name: string;
  readonly type: string;
  readonly defaultText?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * Parses the `-- @param NAME TYPE = DEFAULT TEXT` comments at the top of a document. The first declaration of a name
 * wins.
 */
export function parameterDeclarations(text: string): ReadonlyMap<string, ParameterDeclaration> {
  const found = new Map<string, ParameterDeclaration>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const trimmed = line.trim();
    if (trimmed !== '' && !trimmed.startsWith('--')) break;
    const [, argument] = /^--[ \t]*@param[ \t]+(.*)$/i.exec(trimmed) ?? [];
    const declared = argument === undefined ? undefined : parameterLine({ argument });
    if (declared === undefined || found.has(declared.name)) continue;
    const { name, type = 'text', defaultValue, description } = declared;
    found.set(name, {
      name,
      type: /^enum\(/i.test(type) ? type : type.toLowerCase(),
      defaultText: defaultValue,
      description,
    });
  }
  return found;
}

/** Returns whether a placeholder is alone in parentheses, as in `IN (:x)` or `ANY (:x)`, which suggests a list. */
export function isListPlace(before: string, after: string): boolean {
  return /\b(?:in|any|all|some)\s*\(\s*$/i.test(before) && /^\s*\)/.test(after);
}
