/** Completion using protocol types. Needs only the tokens, so it never waits for a check. */
import type { CompletionContext } from 'vscode-languageserver';
import type { Position, Range, TextDocument } from 'vscode-languageserver-textdocument';
import {
  CompletionItemKind,
  InsertTextFormat,
  type CompletionItem,
  type CompletionList,
} from 'vscode-languageserver-types';
import { escapeHidden } from '#base/shown-text/hidden-characters.ts';
import type { GrammarProbe } from '../language/editing/allowed-suggestions.ts';
import { complete } from '../language/editing/completion.ts';
import { FunctionKinds } from '../language/editing/function-kinds.ts';
import { knownFunctions } from '../language/editing/functions.ts';
import { firstOverloads, overloadsWritten } from '../language/editing/overloads.ts';
import type { Suggestion, SuggestionKind } from '../language/editing/suggestion.ts';
import { loadTypeCatalogue } from '../parser/type-catalogue.ts';
import { nameContextFor, readableAs, type ServerState } from '../state.ts';

const kinds: Readonly<Record<SuggestionKind, CompletionItemKind>> = {
  column: CompletionItemKind.Field,
  table: CompletionItemKind.Struct,
  model: CompletionItemKind.Module,
  alias: CompletionItemKind.Variable,
  'common-table': CompletionItemKind.Interface,
  window: CompletionItemKind.Interface,
  function: CompletionItemKind.Function,
  parameter: CompletionItemKind.Variable,
  keyword: CompletionItemKind.Keyword,
  type: CompletionItemKind.TypeParameter,
  directive: CompletionItemKind.Property,
  condition: CompletionItemKind.Reference,
  value: CompletionItemKind.EnumMember,
};

/** Loads PostgreSQL's functions on the first completion. */
const functions = new FunctionKinds(loadTypeCatalogue);

/**
 * A space asks for suggestions only where a table or the condition of a JOIN follows: it is the longest text that can be
 * known, and a list that opens by itself takes the next Enter.
 */
export function mayFollowSpace(document: TextDocument, { line, character }: Position): boolean {
  const before = document.getText({ start: { line, character: 0 }, end: { line, character } });
  return /(?:^|\s)(?:on|from|join) $/i.test(before);
}

export function completeAt(
  state: ServerState,
  document: TextDocument,
  position: Position,
  { asked, probe }: { readonly asked?: CompletionContext | undefined; readonly probe?: GrammarProbe } = {},
): CompletionList {
  const lexed = readableAs(state, document);
  if (lexed === undefined) return { isIncomplete: false, items: [] };
  const context = {
    ...nameContextFor(state, document.uri, lexed),
    functions,
    // The grammar is PostgreSQL's.
    probe: state.dialect === undefined ? probe : undefined,
  };
  const {
    start,
    end,
    suggestions,
    isPartial = false,
  } = complete(lexed, document.offsetAt(position), context);
  if (asked?.triggerCharacter === ' ' && !answersSpace(suggestions))
    return { isIncomplete: false, items: [] };
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  const offered = suggestions.filter(({ snippet }) => snippet === undefined || state.knowsSnippets);
  return { isIncomplete: isPartial, items: offered.map((suggestion) => itemOf(suggestion, range)) };
}

function itemOf(suggestion: Suggestion, range: Range): CompletionItem {
  const { label, kind, insertText, snippet, filterText, documentation, rank, order } = suggestion;
  // Rows are narrow and a type can be long, so the table comes first: it tells two columns apart.
  const parts = [suggestion.detail, suggestion.type].filter((part) => part !== undefined && part !== '');
  const detail = parts.length === 0 ? undefined : escapeHidden(parts.join(' · '));
  const { result: described = detail } = suggestion;
  return {
    // Only the label is escaped: the inserted text and the filter text must stay unchanged.
    label: escapeHidden(label),
    kind: kinds[kind],
    sortText: sortKey(label, rank, order),
    filterText: filterText ?? (kind === 'parameter' ? insertText : label),
    textEdit: { range, newText: snippet ?? insertText },
    ...(snippet === undefined ? {} : { insertTextFormat: InsertTextFormat.Snippet }),
    ...(detail === undefined ? {} : { detail }),
    // Shown on every row, unlike the detail. A function's signature is too long for that, so it is the result.
    ...(described === undefined ? {} : { labelDetails: { description: described } }),
    // A function's description and overloads are added when the item is resolved.
    ...(documentation === undefined || kind === 'function'
      ? {}
      : { documentation: escapeHidden(documentation) }),
  };
}

const tableKinds: ReadonlySet<SuggestionKind> = new Set(['table', 'model', 'common-table']);

/** `EXTRACT(year FROM` and `IS DISTINCT FROM` are followed by a value, so other names are among the suggestions. */
const answersSpace = (suggestions: readonly Suggestion[]): boolean =>
  suggestions.some(({ kind }) => kind === 'condition') ||
  suggestions.every(({ kind }) => tableKinds.has(kind));

/** Sorts by rank, then by name; a name precedes longer names that start with it: accounts before account_roles. */
function sortKey(label: string, rank: number, order: number | undefined): string {
  const name = label.replaceAll('_', '~');
  return order === undefined ? `${rank}${name}` : `${rank}!${String(order).padStart(4, '0')}`;
}

/** Adds the documentation, which the list omits. */
export function resolveCompletion(item: CompletionItem): CompletionItem {
  const known =
    item.kind === CompletionItemKind.Function
      ? knownFunctions.find(({ name }) => name === item.label)
      : undefined;
  if (known === undefined) return item;
  const [, ...others] = overloadsWritten(known.name, loadTypeCatalogue());
  const shown = firstOverloads(others.map((each) => `${known.name}${each}`));
  return { ...item, documentation: [known.description, ...shown].join('\n') };
}
