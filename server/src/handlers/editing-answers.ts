/** Converts the results of editing features to the protocol's types. Input is an open document and its tokens. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  DocumentHighlightKind,
  FoldingRangeKind,
  SymbolKind,
  type DocumentHighlight,
  type DocumentSymbol,
  type FoldingRange,
  type Location,
  type Position,
  type Range,
  type SelectionRange,
  type SemanticTokens,
  type SignatureHelp,
  type WorkspaceEdit,
} from 'vscode-languageserver-types';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { escapeHidden } from '#base/shown-text/hidden-characters.ts';
import { rename, renameObstacle, symbolAt, type Place } from '../language/editing/rename.ts';
import { encodeTokens, semanticTokens } from '../language/editing/semantic-tokens.ts';
import { signatureAt } from '../language/editing/signature-help.ts';
import {
  foldsOf,
  selectionsAt,
  structureOf,
  type StructureKind,
  type StructureNode,
} from '../language/editing/structure.ts';
import { loadTypeCatalogue } from '../parser/type-catalogue.ts';
import type { Opened } from './opened.ts';

export function signatureHelp(
  { document, lexed, context }: Opened,
  position: Position,
): SignatureHelp | null {
  const found = signatureAt(lexed, document.offsetAt(position), {
    names: context,
    // Loaded on the first signature request.
    catalogue: loadTypeCatalogue,
  });
  if (found === undefined) return null;
  const { signatures, active, activeParameter } = found;
  return {
    signatures: signatures.map(({ label, documentation, parameters }) => ({
      label,
      ...(documentation === '' ? {} : { documentation }),
      parameters: parameters.map(({ start, end }) => ({ label: [start, end] as [number, number] })), // a tuple
    })),
    activeSignature: active,
    activeParameter,
  };
}

export function definition(opened: Opened, position: Position): Location | null {
  const place = symbolIn(opened, position)?.definition;
  return place === undefined ? null : locationOf(opened, place);
}

export function references(
  opened: Opened,
  position: Position,
  { includeDeclaration }: { readonly includeDeclaration: boolean },
): Location[] {
  const symbol = symbolIn(opened, position);
  return (symbol?.places ?? [])
    .filter(({ start }) => includeDeclaration || start !== symbol?.definition?.start)
    .map((place) => locationOf(opened, place));
}

export function highlights(opened: Opened, position: Position): DocumentHighlight[] {
  const symbol = symbolIn(opened, position);
  return (symbol?.places ?? []).map((place) => ({
    range: rangeOf(opened.document, place),
    kind:
      place.start === symbol?.definition?.start ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}

/** Returns the symbol to rename, or the reason it cannot be renamed. */
export function renameable(
  opened: Opened,
  position: Position,
): { range: Range; placeholder: string } | ResponseError {
  const symbol = symbolIn(opened, position);
  const obstacle = renameObstacle(symbol);
  if (symbol === undefined || obstacle !== undefined) return refusal(obstacle ?? '');
  const range = rangeOf(opened.document, symbol.place);
  return { range, placeholder: opened.document.getText(range) };
}

export function renamed(
  { document, lexed, context }: Opened,
  position: Position,
  newName: string,
): WorkspaceEdit | ResponseError {
  const result = rename(lexed, document.offsetAt(position), newName, context);
  if (result.kind === 'refused') return refusal(result.reason);
  const edits = result.changes.map((change) => ({
    range: rangeOf(document, change),
    newText: change.newText,
  }));
  return { changes: { [document.uri]: edits } };
}

export const refusal = (reason: string): ResponseError =>
  new ResponseError(LSPErrorCodes.RequestFailed, reason);

export function outline({ document, lexed }: Opened): DocumentSymbol[] {
  return structureOf(lexed).map((node) => symbolOf(document, node));
}

const symbolKinds: Readonly<Record<StructureKind, SymbolKind>> = {
  statement: SymbolKind.Function,
  'common-table': SymbolKind.Struct,
  column: SymbolKind.Field,
};

function symbolOf(document: TextDocument, node: StructureNode): DocumentSymbol {
  return {
    name: escapeHidden(node.name),
    detail: escapeHidden(node.detail),
    kind: symbolKinds[node.kind],
    range: rangeOf(document, node.range),
    selectionRange: rangeOf(document, node.nameRange),
    children: node.children.map((child) => symbolOf(document, child)),
  };
}

export function folds({ document, lexed }: Opened): FoldingRange[] {
  const seen = new Set<number>();
  return foldsOf(lexed).flatMap(({ start, end, kind }) => {
    const startLine = document.positionAt(start).line;
    const endLine = document.positionAt(end).line;
    if (endLine <= startLine || seen.has(startLine)) return [];
    seen.add(startLine);
    return [{ startLine, endLine, ...(kind === 'comment' ? { kind: FoldingRangeKind.Comment } : {}) }];
  });
}

export function selections({ document, lexed }: Opened, position: Position): SelectionRange {
  const places = selectionsAt(lexed, document.offsetAt(position));
  let result: SelectionRange | undefined;
  for (const place of places.toReversed())
    result = { range: rangeOf(document, place), ...(result === undefined ? {} : { parent: result }) };
  return result ?? { range: { start: position, end: position } };
}

export function tokens({ document, lexed, context }: Opened, range?: Range): SemanticTokens {
  const found =
    range === undefined
      ? semanticTokens(lexed, context)
      : semanticTokens(lexed, context, document.offsetAt(range.start), document.offsetAt(range.end));
  return { data: encodeTokens(found, (offset) => document.positionAt(offset)) };
}

const rangeOf = (document: TextDocument, { start, end }: Place): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

const locationOf = ({ document }: Opened, place: Place): Location => ({
  uri: document.uri,
  range: rangeOf(document, place),
});

const symbolIn = ({ document, lexed, context }: Opened, position: Position): ReturnType<typeof symbolAt> =>
  symbolAt(lexed, document.offsetAt(position), context);
