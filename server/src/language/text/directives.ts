/** The comment directives at the top of a query: `-- @model NAME` and `-- @param NAME TYPE = DEFAULT TEXT`. */
import { TokenKind, type LexedText } from './lexer/tokens.ts';

export interface Directive {
  /** The word after `@`, as written. */
  readonly name: string;
  /** UTF-16 offset of the name. */
  readonly nameStart: number;
  /** The rest of the line, trimmed. */
  readonly argument: string;
  /** UTF-16 offsets of the argument. Both are the end of the name if there is no argument. */
  readonly argumentStart: number;
  readonly argumentEnd: number;
  /** UTF-16 offsets of the whole comment. */
  readonly start: number;
  readonly end: number;
}

const directivePattern = /^--[ \t]*@([A-Za-z][\w-]*)(?:[ \t]+(.*))?$/;

/** A comment in the notation of a block, whose directive would have no effect. */
const blockPattern = /^\/\*+\s*@([A-Za-z][\w-]*)(?:[ \t]+([^\r\n*]*))?/;

/** Returns the directives in order of appearance. Comments after the first word of SQL are never directives. */
export function readDirectives({ text, all }: LexedText): readonly Directive[] {
  const directives: Directive[] = [];
  for (let index = 0; index < all.length; index++) {
    const kind = all.kind(index);
    if (kind !== TokenKind.comment && kind !== TokenKind.whitespace) {
      break;
    }
    const directive =
      kind === TokenKind.comment ? directiveAt({ text, all }, index, directivePattern) : undefined;
    if (directive !== undefined) directives.push(directive);
  }
  return directives;
}

/**
 * Returns what is written like a directive where it has no effect: after the first word of SQL, or as a block comment.
 */
export function misplacedDirectives({ text, all }: LexedText): readonly Directive[] {
  const misplaced: Directive[] = [];
  let isAbove = true;
  for (let index = 0; index < all.length; index++) {
    const kind = all.kind(index);
    if (kind === TokenKind.comment) {
      const patterns = isAbove ? [blockPattern] : [directivePattern, blockPattern];
      const [directive] = patterns.flatMap((pattern) => directiveAt({ text, all }, index, pattern) ?? []);
      if (directive !== undefined) misplaced.push(directive);
    } else if (kind !== TokenKind.whitespace) isAbove = false;
  }
  return misplaced;
}

function directiveAt(
  { text, all }: Pick<LexedText, 'text' | 'all'>,
  index: number,
  pattern: RegExp,
): Directive | undefined {
  const start = all.start(index);
  const comment = all.textOf(index);
  const match = pattern.exec(comment.trimEnd());
  if (match?.[1] === undefined) return undefined;
  const argument = (match[2] ?? '').trim();
  const argumentStart =
    argument === ''
      ? start + match[0].trimEnd().length
      : text.indexOf(argument, start + match[0].length - (match[2] ?? '').length);
  return {
    name: match[1],
    nameStart: start + comment.indexOf('@') + 1,
    argument,
    argumentStart,
    argumentEnd: argumentStart + argument.length,
    start,
    end: all.end(index),
  };
}

/** Returns the model directive. If there are several, the last one overrides the others. */
export function modelDirective(directives: readonly Directive[]): Directive | undefined {
  return directives.findLast(({ name, argument }) => name === 'model' && argument !== '');
}
