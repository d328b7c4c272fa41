/** Proves from the tokens that edits change only what they replace: no comment is lost and no other token changes. */
import { applyEdits, type Edit } from '../text/edits.ts';
import { lex } from '../text/lexer/lex.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';

/** Returns whether every comment of the text is still there. */
export function keepsComments(lexed: LexedText, edits: readonly Edit[]): boolean {
  if (commentsIn(lexed).length === 0) return true;
  const left = commentsIn(lex(applyEdits(lexed.text, edits)));
  return commentsIn(lexed).every((comment) => {
    const at = left.indexOf(comment);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Returns whether the edits change nothing but comments. */
export function keepsCode({ text, code }: LexedText, edits: readonly Edit[]): boolean {
  const after = lex(applyEdits(text, edits)).code;
  if (after.length !== code.length) return false;
  for (let index = 0; index < code.length; index++)
    if (after.textOf(index) !== code.textOf(index)) return false;
  return true;
}

function commentsIn({ all }: LexedText): string[] {
  const comments: string[] = [];
  for (let index = 0; index < all.length; index++) {
    if (all.kind(index) === TokenKind.comment) comments.push(all.textOf(index));
  }
  return comments;
}

/** Returns whether the tokens around the edits stay as they are: none is cut, merged or put into a comment. */
export function keepsTokens({ text, code }: LexedText, edits: readonly Edit[]): boolean {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const expected: string[] = [];
  let index = 0;
  for (const { start, end, newText } of sorted) {
    for (; index < code.length && code.end(index) <= start; index++) expected.push(code.textOf(index));
    while (index < code.length && code.start(index) < end) {
      if (code.start(index) < start || code.end(index) > end) return false;
      index++;
    }
    const written = lex(newText).code;
    for (let each = 0; each < written.length; each++) expected.push(written.textOf(each));
  }
  for (; index < code.length; index++) expected.push(code.textOf(index));
  const after = lex(applyEdits(text, sorted)).code;
  return (
    after.length === expected.length && expected.every((token, position) => after.textOf(position) === token)
  );
}
