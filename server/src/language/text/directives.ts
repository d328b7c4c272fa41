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

/** Returns the directives in order of appearance. Comments after the first word of SQL are never directives. */
export function readDirectives({ text, all }: LexedText): readonly Directive[] {
  const directives: Directive[] = [];
  for (let index = 0; index < all.length; index++) {
    const kind = all.kind(index);
    if (kind !== TokenKind.comment && kind !== TokenKind.whitespace) {
      break;
    }
    const start = all.start(index);
    const comment = all.textOf(index);
    const match = kind === TokenKind.comment ? directivePattern.exec(comment.trimEnd()) : null;
    if (match?.[1] !== undefined) {
      const argument = (match[2] ?? '').trim();
      const argumentStart =
        argument === ''
          ? start + comment.trimEnd().length
          : text.indexOf(argument, start + match[0].length - (match[2] ?? '').length);
      directives.push({
        name: match[1],
        nameStart: start + comment.indexOf('@') + 1,
        argument,
        argumentStart,
        argumentEnd: argumentStart + argument.length,
        start,
        end: all.end(index),
      });
    }
  }
  return directives;
}

/** Returns the model directive. If there are several, the last one overrides the others. */
export function modelDirective(directives: readonly Directive[]): Directive | undefined {
  return directives.findLast(({ name, argument }) => name === 'model' && argument !== '');
}
