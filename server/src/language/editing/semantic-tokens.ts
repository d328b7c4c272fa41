/** Classifies names for semantic highlighting. The grammar covers keywords, strings and numbers. */
import type { NameContext } from '../names/name-context.ts';
import { bindSpan } from '../names/over-tokens/bindings.ts';
import { nameAt } from '../text/identifiers.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';
import { splitStatements } from '../text/statements.ts';

/** In the order of the legend sent to the client. */
export const semanticTokenTypes = [
  'class',
  'variable',
  'property',
  'parameter',
  'function',
  'namespace',
] as const;
export type SemanticTokenType = (typeof semanticTokenTypes)[number];

export interface SemanticToken {
  readonly start: number;
  readonly end: number;
  readonly type: SemanticTokenType;
  readonly isDeclaration: boolean;
}

/** Returns the tokens between the offsets, sorted by position. */
export function semanticTokens(
  lexed: LexedText,
  context: NameContext,
  from = 0,
  to = lexed.text.length,
): readonly SemanticToken[] {
  const { code } = lexed;
  const tokens: SemanticToken[] = [];
  for (const span of splitStatements(lexed)) {
    if (span.end < from || span.start > to) continue;
    const { definitions, references, mentioned, outline } = bindSpan(code, span, context);
    /** For each token of a dotted name, whether it is the last part. */
    const lastParts = new Map<number, boolean>();
    /** Tokens of table names, including those with aliases. */
    const tables = new Set<number>();
    for (const { mentions, relations } of outline.selects) {
      for (const { tableToken } of relations) {
        if (tableToken !== undefined) tables.add(tableToken);
      }
      for (const { tokens: parts, hasStar } of mentions)
        parts.forEach((token, index) => lastParts.set(token, index === parts.length - 1 && !hasStar));
    }
    for (let index = span.firstToken; index <= span.lastToken; index++) {
      const push = (type: SemanticTokenType, isDeclaration = false): void => {
        tokens.push({ start: code.start(index), end: code.end(index), type, isDeclaration });
      };
      if (code.end(index) < from || code.start(index) > to) continue;
      if (code.kind(index) === TokenKind.placeholder) {
        push('parameter');
        continue;
      }
      if (nameAt(code, index) === undefined) continue;
      const own = definitions.get(index);
      // A function in column notation is highlighted as a function.
      const definition = outline.others.has(index) && own?.aliasBehind !== undefined ? undefined : own;
      const meaning = references.get(index) ?? definition;
      if (meaning !== undefined) {
        const isDeclaration =
          definition !== undefined && definition.aliasBehind === undefined && definition.kind !== 'table';
        push(typesByKind[meaning.kind], isDeclaration && !references.has(index));
      } else if (tables.has(index)) {
        push('class');
      } else if (lastParts.get(index) === true) {
        push('property');
      } else if (lastParts.has(index) || mentioned.has(index)) {
        push('variable');
      } else if (outline.others.has(index) && code.is(index + 1, '(')) {
        push('function');
      } else if (outline.others.has(index) && code.is(index + 1, '.') && !code.is(index - 1, '::')) {
        push('namespace');
      }
    }
  }
  return tokens;
}

const typesByKind = {
  'common-table': 'class',
  table: 'class',
  alias: 'variable',
  column: 'property',
  window: 'variable',
} as const;

/**
 * Encodes tokens as the protocol requires: five numbers per token, with positions relative to the previous token.
 * Tokens that span several lines are skipped.
 */
export function encodeTokens(
  tokens: readonly SemanticToken[],
  positionAt: (offset: number) => { readonly line: number; readonly character: number },
): number[] {
  const data: number[] = [];
  let line = 0;
  let character = 0;
  for (const { start, end, type, isDeclaration } of tokens) {
    const at = positionAt(start);
    const isOneLine = positionAt(end).line === at.line;
    if (!isOneLine) continue;
    data.push(
      at.line - line,
      at.line === line ? at.character - character : at.character,
      end - start,
      semanticTokenTypes.indexOf(type),
      isDeclaration ? 1 : 0,
    );
    ({ line, character } = at);
  }
  return data;
}
