/**
 * The code lenses above each statement: run, save and parameters. They run client commands. Those of an only statement
 * are above its directives, in one line with the client's own.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { CodeLens, Range } from 'vscode-languageserver-types';
import { t } from '#base/texts.ts';
import { inDeclaredOrder, readParameters } from '../language/checks/parameters/parameters.ts';
import { readDirectives, type Directive } from '../language/text/directives.ts';
import { TokenKind, type LexedText, type TokenList } from '../language/text/lexer/tokens.ts';
import { splitStatements, type StatementSpan } from '../language/text/statements.ts';
import {
  editParametersCommand,
  runCommand,
  saveAsNewCommand,
  saveDocumentCommand,
  savedQueryScheme,
  type EditParametersArguments,
  type StatementArgument,
} from '../protocol.ts';
import { isSavedQuery } from '../state.ts';

export function codeLenses(document: TextDocument, lexed: LexedText): readonly CodeLens[] {
  const { code } = lexed;
  const spans = splitStatements(lexed);
  const directives = readDirectives(lexed);
  const places = placesInLine(document, spans);
  const declared = readParameters(directives).map(({ name }) => name);
  return spans.flatMap((span, index) => {
    const range = rangeOf(document, span);
    const isOnly = spans.length === 1;
    const above = isOnly ? { line: 0, character: 0 } : range.start;
    const names = parameterNames(code, span, declared);
    const lens = (title: string, command: string, args: readonly unknown[]): CodeLens => ({
      range: { start: above, end: above },
      command: { title, command, arguments: [...args] },
    });
    const place = places[index];
    const run = { uri: document.uri, range } satisfies StatementArgument;
    return [
      lens(place === undefined ? t('Run') : t('Run {0}', place), runCommand, [run]),
      ...saveLenses(lens),
      ...(names.length === 0
        ? []
        : [
            lens(t('Parameters: {0}', names.map((name) => `:${name}`).join(', ')), editParametersCommand, [
              ...([document.uri, range.start] satisfies EditParametersArguments),
            ]),
          ]),
    ];

    /** A saved query is saved as a whole. In a file with several statements, each statement is saved separately. */
    function saveLenses(make: typeof lens): readonly CodeLens[] {
      if (isSavedQuery(document.uri)) return index === 0 ? [make(t('Save'), saveDocumentCommand, [])] : [];
      if (!hasSaving(document.uri)) return [];
      const parts = isOnly ? {} : { parts: [...headOf(directives, names).map(toRange), range] };
      return [
        make(place === undefined ? t('Save') : t('Save {0}', place), saveAsNewCommand, [
          { uri: document.uri, range, ...parts } satisfies StatementArgument,
        ]),
      ];
    }
  });

  function toRange(directive: Directive): Range {
    return rangeOf(document, directive);
  }
}

/** Returns for each statement its 1-based place among those that start on its line; undefined if it is the only one. */
function placesInLine(
  document: TextDocument,
  spans: readonly StatementSpan[],
): readonly (number | undefined)[] {
  const lines = spans.map(({ start }) => document.positionAt(start).line);
  let place = 0;
  return lines.map((line, index) => {
    place = line === lines[index - 1] ? place + 1 : 1;
    return place > 1 || line === lines[index + 1] ? place : undefined;
  });
}

/** Old versions are read-only and cannot be saved. */
const hasSaving = (uri: string): boolean => !uri.startsWith(`${savedQueryScheme}-`);

/** Returns the directives that apply to a statement: its model and the parameters it uses. */
function headOf(directives: readonly Directive[], names: readonly string[]): readonly Directive[] {
  return directives.filter(
    (directive) =>
      directive.name === 'model' || readParameters([directive]).some(({ name }) => names.includes(name)),
  );
}

/** Returns the names as the form lists them. */
function parameterNames(
  code: TokenList,
  { firstToken, lastToken }: StatementSpan,
  declared: readonly string[],
): readonly string[] {
  const used: string[] = [];
  for (let token = firstToken; token <= lastToken; token++) {
    if (code.kind(token) === TokenKind.placeholder) used.push(code.textOf(token).slice(1));
  }
  return inDeclaredOrder(declared, used);
}

const rangeOf = (
  document: TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): Range => ({ start: document.positionAt(start), end: document.positionAt(end) });
