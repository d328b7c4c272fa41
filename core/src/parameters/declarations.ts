/** Parses the parameter declarations in a query's comments. */
import {
  declaredTwice,
  defaultProblem,
  parameterLine,
} from '#server/language/checks/parameters/parameter-line.ts';
import { readDirectives } from '#server/language/text/directives.ts';
import { lex } from '#server/language/text/lexer/lex.ts';

export interface ParameterDeclaration {
  readonly name: string;
  readonly type: string;
  readonly defaultText?: string | undefined;
  /** Why the default must not be used, as a finding says it. */
  readonly problem?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * Parses the `-- @param NAME TYPE = DEFAULT TEXT` comments at the top of a document. The first declaration of a name
 * wins, but a second one with another default makes it unclear which one is meant.
 */
export function parameterDeclarations(text: string): ReadonlyMap<string, ParameterDeclaration> {
  const found = new Map<string, ParameterDeclaration>();
  if (!text.includes('@param')) return found;
  for (const directive of readDirectives(lex(text.replace(/^\uFEFF/, '')))) {
    const line = directive.name === 'param' ? parameterLine(directive) : undefined;
    if (line === undefined) continue;
    const { name, type = 'text', defaultValue, description } = line;
    const before = found.get(name);
    const problem = defaultProblem(line);
    if (before === undefined) {
      found.set(name, {
        name,
        type: /^enum\(/i.test(type) ? type : type.toLowerCase(),
        defaultText: problem === undefined ? defaultValue : undefined,
        description,
        ...(problem === undefined ? {} : { problem }),
      });
    } else if (before.defaultText !== defaultValue) {
      found.set(name, { ...before, defaultText: undefined, problem: before.problem ?? declaredTwice(name) });
    }
  }
  return found;
}

/** Returns whether a placeholder is alone in parentheses, as in `IN (:x)` or `ANY (:x)`, which suggests a list. */
export function isListPlace(before: string, after: string): boolean {
  return /\b(?:in|any|all|some)\s*\(\s*$/i.test(before) && /^\s*\)/.test(after);
}
