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

/** A word after `@` in a comment, and whether it is part of a file's name. In quotes it is only mentioned, and after a letter it is part of an address. */
const writtenPattern = /(?<![\p{L}\p{N}_@'"`])@([^\S\r\n]*)([A-Za-z][\w-]*)(?=(\.\w)?)[ \t\u{A0}:=]*/gu;

/** What is written like a directive where, or as, it has no effect. */
export interface MisplacedDirective extends Directive {
  /** Whether it starts a line comment above the query, so that its word can only be meant as a directive's. */
  readonly isMeant: boolean;
  /** Whether other words of its line come before it, so that it may only be mentioned: `-- see the @control docs`. */
  readonly isInProse: boolean;
}

/** Returns the directives in order of appearance. Comments after the first word of SQL are never directives. */
export function readDirectives({ text, all }: LexedText): readonly Directive[] {
  const directives: Directive[] = [];
  for (let index = 0; index < all.length; index++) {
    const kind = all.kind(index);
    if (kind !== TokenKind.comment && kind !== TokenKind.whitespace) break;
    const directive = kind === TokenKind.comment ? directiveAt({ text, all }, index) : undefined;
    if (directive !== undefined) directives.push(directive);
  }
  return directives;
}

/**
 * Returns what is written like a directive and is none: after the first word of SQL, in a block comment, after other
 * words, or with other signs than `-- @name`.
 */
export function misplacedDirectives({ text, all }: LexedText): readonly MisplacedDirective[] {
  const misplaced: MisplacedDirective[] = [];
  let isAbove = true;
  for (let index = 0; index < all.length; index++) {
    const kind = all.kind(index);
    if (kind === TokenKind.comment) {
      const read = isAbove ? directiveAt({ text, all }, index) : undefined;
      for (const written of writtenAt({ all }, index, { isAbove, from: read?.argumentStart }))
        misplaced.push(written);
    } else if (kind !== TokenKind.whitespace) isAbove = false;
  }
  return misplaced;
}

function directiveAt({ text, all }: Pick<LexedText, 'text' | 'all'>, index: number): Directive | undefined {
  const start = all.start(index);
  const comment = all.textOf(index);
  const match = directivePattern.exec(comment.trimEnd());
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

/** @param from where the argument of the directive begins that the comment is, if it is one. */
function writtenAt(
  { all }: Pick<LexedText, 'all'>,
  index: number,
  { isAbove, from }: { readonly isAbove: boolean; readonly from: number | undefined },
): readonly MisplacedDirective[] {
  const start = all.start(index);
  const comment = all.textOf(index);
  if (!comment.includes('@')) return [];
  const isBlock = comment.startsWith('/*');
  const found: MisplacedDirective[] = [];
  // A line may hold thousands of them, so it is read once for all.
  for (const { 0: line, index: lineAt } of comment.matchAll(/[^\r\n]+/g)) {
    const firstWord = line.search(/[\p{L}\p{N}]/u);
    let behind = isBlock ? -1 : line.length;
    for (const { 0: written, 1: blank = '', 2: name = '', 3: ending, index: at } of line.matchAll(
      writtenPattern,
    )) {
      const nameAt = lineAt + at + 1 + blank.length;
      if (from !== undefined && start + lineAt + at < from) continue;
      if (behind < at) {
        const star = line.indexOf('*', at);
        behind = star < 0 ? line.length : star;
      }
      const isFirst = firstWord > at;
      const rest = line.slice(at + written.length, behind);
      const argument = rest.trim();
      const isMeant = isAbove && isFirst && !isBlock && from === undefined;
      // After other words, a word alone is not enough: mail @expect, see @params.txt.
      if (ending !== undefined && !isMeant) continue;
      if (!isFirst && (blank !== '' || argument === '')) continue;
      const argumentStart =
        start +
        (argument === ''
          ? nameAt + name.length
          : lineAt + at + written.length + rest.length - rest.trimStart().length);
      found.push({
        name,
        nameStart: start + nameAt,
        argument,
        argumentStart,
        argumentEnd: argumentStart + argument.length,
        start: isFirst && lineAt === 0 ? start : start + lineAt + at,
        end: all.end(index),
        isMeant,
        isInProse: !isFirst,
      });
    }
  }
  return found;
}

/** Returns the model directive. If there are several, the last one overrides the others. */
export function modelDirective(directives: readonly Directive[]): Directive | undefined {
  return directives.findLast(({ name, argument }) => name === 'model' && argument !== '');
}
