/** Inlay hints for parameter types and the column count of `*`. */
import { locale, t } from '#base/texts.ts';
import { isSingular } from '#base/translate.ts';
import { readParameters } from '../checks/parameters/parameters.ts';
import type { NameContext } from '../names/name-context.ts';
import { bindSpan, type Bindings } from '../names/over-tokens/bindings.ts';
import type { OutlineSelect } from '../names/over-tokens/outline.ts';
import { readDirectives } from '../text/directives.ts';
import { TokenKind, type LexedText } from '../text/lexer/tokens.ts';
import { splitStatements } from '../text/statements.ts';

export interface InlayNote {
  readonly offset: number;
  readonly label: string;
  readonly kind: 'type' | 'count';
}

export interface InlaySettings {
  readonly parameterTypes: boolean;
  readonly columnCount: boolean;
}

/** Returns a parameter's inferred type, or undefined if it is unknown. */
export type InferType = (statementStart: number, name: string) => string | undefined;

export interface InlayRequest {
  readonly settings: InlaySettings;
  readonly from: number;
  readonly to: number;
  /** Called only for undeclared parameters. */
  readonly inferType: InferType;
}

/** Returns whether the hints need inferred parameter types. */
export function needsTypes({ code }: LexedText, { parameterTypes }: InlaySettings): boolean {
  for (let index = 0; parameterTypes && index < code.length; index++) {
    if (code.kind(index) === TokenKind.placeholder) return true;
  }
  return false;
}

export function inlayNotes(
  lexed: LexedText,
  context: NameContext,
  { settings, from, to, inferType }: InlayRequest,
): readonly InlayNote[] {
  const { code } = lexed;
  const notes: InlayNote[] = [];
  const types = new Map(readParameters(readDirectives(lexed)).map(({ name, type }) => [name, type]));
  for (const span of splitStatements(lexed)) {
    if (span.end < from || span.start > to) continue;
    for (let index = span.firstToken; settings.parameterTypes && index <= span.lastToken; index++) {
      const name = code.kind(index) === TokenKind.placeholder ? code.textOf(index).slice(1) : undefined;
      const type = name === undefined ? undefined : (types.get(name) ?? inferType(span.start, name));
      if (type !== undefined) notes.push({ offset: code.end(index), label: `: ${type}`, kind: 'type' });
    }
    if (!settings.columnCount) continue;
    const bindings = bindSpan(code, span, context);
    for (const select of bindings.outline.selects) {
      const isMerged = select.isNatural || select.mentions.some(({ clause }) => clause === 'using');
      for (const { last, star } of select.outputs) {
        const count =
          star !== undefined && code.is(last, '*')
            ? starCount(bindings, select, { qualifier: star[0], isMerged })
            : undefined;
        if (count !== undefined) {
          notes.push({
            offset: code.end(last),
            label: t(isSingular(count, locale()) ? '{0} column' : '{0} columns', count),
            kind: 'count',
          });
        }
      }
    }
  }
  return notes.filter(({ offset }) => from <= offset && offset <= to).toSorted((a, b) => a.offset - b.offset);
}

/** Returns undefined if a table's columns are unknown, or if a join may merge columns. */
function starCount(
  bindings: Bindings,
  select: OutlineSelect,
  { qualifier, isMerged }: { readonly qualifier: string | undefined; readonly isMerged: boolean },
): number | undefined {
  const relations = select.relations.filter(
    ({ definition }) => qualifier === undefined || definition?.name === qualifier,
  );
  const columns = relations.map((relation) => bindings.columnsOf(relation));
  return columns.length === 0 || (isMerged && qualifier === undefined) || columns.some(({ isOpen }) => isOpen)
    ? undefined
    : columns.reduce((sum, { list }) => sum + list.length, 0);
}
