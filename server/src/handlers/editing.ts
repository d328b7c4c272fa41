/**
 * The editing features for the protocol: each reads the tokens of the text as it is, and waits for no check. The types
 * of parameters between the lines are the one exception.
 */
import {
  DocumentHighlightKind,
  FoldingRangeKind,
  SymbolKind,
  type DocumentHighlight,
  type DocumentSymbol,
  type FoldingRange,
  type FormattingOptions,
  type Location,
  type Position,
  type Range,
  type SelectionRange,
  type SignatureHelp,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-types';
import {
  CodeLensRefreshRequest,
  LSPErrorCodes,
  ResponseError,
  type ClientCapabilities,
  type Connection,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { escapeHidden } from '../../../core/src/shown-text/hidden-characters.ts';
import type { Analyser } from '../language/checks/analyser.ts';
import type { Guard } from '../guard.ts';
import type { InlaySettings } from '../language/editing/inlay-hints.ts';
import { rename, renameObstacle, symbolAt, type Place } from '../language/editing/rename.ts';
import { encodeTokens, semanticTokens, semanticTokenTypes } from '../language/editing/semantic-tokens.ts';
import { signatureAt } from '../language/editing/signature-help.ts';
import {
  foldsOf,
  selectionsAt,
  structureOf,
  type StructureKind,
  type StructureNode,
} from '../language/editing/structure.ts';
import { nameContextFor, readableAs, type ServerState } from '../state.ts';
import { codeLenses } from './code-lens.ts';
import type { FeatureLimit, FeatureName } from './feature-limit.ts';
import { format } from './format.ts';
import { inlayHints } from './inlay-hints.ts';
import type { Opened } from './opened.ts';

export const editingCapabilities = {
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  semanticTokensProvider: {
    legend: { tokenTypes: [...semanticTokenTypes], tokenModifiers: ['declaration'] },
    full: true,
    range: true,
  },
  inlayHintProvider: true,
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  codeLensProvider: {},
} satisfies ServerCapabilities;

export interface EditingSettings extends InlaySettings {
  readonly codeLens: boolean;
}

/** Off until the settings say otherwise: an editor without our commands has no use for the lenses. */
export const editingDefaults: EditingSettings = {
  parameterTypes: false,
  columnCount: false,
  codeLens: false,
};

/** From `identityQueries.inlayHints` and `identityQueries.codeLens`, as the client sent them. */
export function readEditingSettings(inlayHints: unknown, codeLens: unknown): EditingSettings {
  const isOn = (value: unknown, key: string): boolean =>
    typeof value === 'object' && value !== null && (value as Readonly<Record<string, unknown>>)[key] === true; // read as unknown
  return {
    parameterTypes: isOn(inlayHints, 'parameterTypes'),
    columnCount: isOn(inlayHints, 'columnCount'),
    codeLens: isOn(codeLens, 'enabled'),
  };
}

export interface EditingDeps {
  readonly connection: Connection;
  readonly guard: Guard;
  readonly analyser: Analyser;
  readonly state: ServerState;
  readonly documentAt: (uri: string) => TextDocument | undefined;
  readonly limit: FeatureLimit;
  /** Says something to the person. */
  readonly tell: (message: string) => void;
}

export interface Editing {
  /** What the client can do. */
  negotiate(capabilities: ClientCapabilities): void;
  /** The settings have changed. */
  configure(settings: EditingSettings): void;
  /** The catalogue or the settings have changed, so what is shown between the lines may be out of date. */
  refresh(): void;
}

export function registerEditing({
  connection,
  guard,
  analyser,
  state,
  documentAt,
  limit,
  tell,
}: EditingDeps): Editing {
  let settings = editingDefaults;
  let workspace: ClientCapabilities['workspace'];
  const open = (uri: string): Opened | undefined => {
    const document = documentAt(uri);
    if (document === undefined) {
      return undefined;
    }
    const lexed = readableAs(state, document);
    return lexed && { document, lexed, context: nameContextFor(state, uri, lexed) };
  };
  const on = <T>(feature: FeatureName, uri: string, answer: (opened: Opened) => T): T | null => {
    return guard(feature, () => {
      const opened = open(uri);
      return opened === undefined
        ? null
        : (limit.answer(feature, opened.document, () => answer(opened)) ?? null);
    });
  };

  connection.onSignatureHelp(({ textDocument, position }) =>
    on('signature', textDocument.uri, (opened) => signatureHelp(opened, position)),
  );
  connection.onDefinition(({ textDocument: { uri }, position }) =>
    on('definition', uri, (opened) => {
      const definition = symbolIn(opened, position)?.definition;
      return definition === undefined ? null : locationOf(opened, definition);
    }),
  );
  connection.onReferences(({ textDocument: { uri }, position, context }) =>
    on('references', uri, (opened) => {
      const symbol = symbolIn(opened, position);
      return (symbol?.places ?? [])
        .filter(({ start }) => context.includeDeclaration || start !== symbol?.definition?.start)
        .map((place) => locationOf(opened, place));
    }),
  );
  connection.onDocumentHighlight(({ textDocument: { uri }, position }) =>
    on('highlights', uri, (opened) => {
      const symbol = symbolIn(opened, position);
      return (symbol?.places ?? []).map((place): DocumentHighlight => ({
        range: rangeOf(opened.document, place),
        kind:
          place.start === symbol?.definition?.start
            ? DocumentHighlightKind.Write
            : DocumentHighlightKind.Read,
      }));
    }),
  );
  connection.onPrepareRename(({ textDocument: { uri }, position }) =>
    on('rename', uri, (opened) => {
      const symbol = symbolIn(opened, position);
      const obstacle = renameObstacle(symbol);
      if (symbol === undefined || obstacle !== undefined) {
        return new ResponseError<undefined>(LSPErrorCodes.RequestFailed, obstacle ?? '');
      }
      const range = rangeOf(opened.document, symbol.place);
      return { range, placeholder: opened.document.getText(range) };
    }),
  );
  connection.onRenameRequest(({ textDocument: { uri }, position, newName }) =>
    on('rename', uri, (opened) => {
      const result = rename(opened.lexed, opened.document.offsetAt(position), newName, opened.context);
      if (result.kind === 'refused') {
        return new ResponseError<undefined>(LSPErrorCodes.RequestFailed, result.reason);
      }
      const edits = result.changes.map((change) => ({
        range: rangeOf(opened.document, change),
        newText: change.newText,
      }));
      const edit: WorkspaceEdit = { changes: { [uri]: edits } };
      return edit;
    }),
  );
  connection.onDocumentSymbol(({ textDocument }) =>
    on('outline', textDocument.uri, ({ document, lexed }) =>
      structureOf(lexed).map((node) => toSymbol(document, node)),
    ),
  );
  connection.onFoldingRanges(({ textDocument }) => on('folding', textDocument.uri, folds));
  connection.onSelectionRanges(({ textDocument, positions }) =>
    on('selection', textDocument.uri, (opened) => positions.map((position) => selections(opened, position))),
  );
  const noTokens = { data: [] };
  connection.languages.semanticTokens.on(
    ({ textDocument }) =>
      on('tokens', textDocument.uri, (opened) => ({
        data: tokenData(opened, semanticTokens(opened.lexed, opened.context)),
      })) ?? noTokens,
  );
  connection.languages.semanticTokens.onRange(
    ({ textDocument, range }) =>
      on('tokens', textDocument.uri, (opened) => {
        const { document, lexed, context } = opened;
        const from = document.offsetAt(range.start);
        const tokens = semanticTokens(lexed, context, from, document.offsetAt(range.end));
        return { data: tokenData(opened, tokens) };
      }) ?? noTokens,
  );
  connection.languages.inlayHint.on(({ textDocument, range }, token) =>
    guard('hints', () => {
      const opened = open(textDocument.uri);
      return opened === undefined
        ? null
        : inlayHints(
            { analyser, state, limit },
            opened,
            settings,
            range,
            () => token.isCancellationRequested,
          );
    }),
  );
  connection.onCodeLens(({ textDocument }) =>
    on('lenses', textDocument.uri, ({ document, lexed }) =>
      settings.codeLens ? [...codeLenses(document, lexed)] : [],
    ),
  );
  const formatOf = (
    uri: string,
    options: FormattingOptions,
    range?: Range,
  ): Promise<TextEdit[] | null> | null =>
    guard('formatting', () => {
      const document = documentAt(uri);
      return document === undefined ? null : format({ tell, state }, document, options, range);
    });
  connection.onDocumentFormatting(({ textDocument, options }) => formatOf(textDocument.uri, options));
  connection.onDocumentRangeFormatting(({ textDocument, range, options }) =>
    formatOf(textDocument.uri, options, range),
  );

  return {
    negotiate(capabilities) {
      workspace = capabilities.workspace;
    },
    configure(next) {
      settings = next;
    },
    refresh() {
      const refreshed = [
        ...(workspace?.codeLens?.refreshSupport === true
          ? [connection.sendRequest(CodeLensRefreshRequest.type)]
          : []),
        ...(workspace?.inlayHint?.refreshSupport === true ? [connection.languages.inlayHint.refresh()] : []),
      ];
      // An editor that answers with an error asks again by itself when the text changes.
      void Promise.allSettled(refreshed);
    },
  };
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

const tokenData = ({ document }: Opened, tokens: ReturnType<typeof semanticTokens>): number[] =>
  encodeTokens(tokens, (offset) => document.positionAt(offset));

function signatureHelp({ document, lexed }: Opened, position: Position): SignatureHelp | null {
  const found = signatureAt(lexed, document.offsetAt(position));
  if (found === undefined) {
    return null;
  }
  const { label, documentation, parameters, activeParameter } = found;
  return {
    signatures: [
      {
        label,
        documentation,
        parameters: parameters.map(({ start, end }) => ({ label: [start, end] as [number, number] })), // a pair, not a list
      },
    ],
    activeSignature: 0,
    activeParameter,
  };
}

const symbolKinds: Readonly<Record<StructureKind, SymbolKind>> = {
  statement: SymbolKind.Function,
  'common-table': SymbolKind.Struct,
  column: SymbolKind.Field,
};

function toSymbol(document: TextDocument, node: StructureNode): DocumentSymbol {
  return {
    name: escapeHidden(node.name),
    detail: escapeHidden(node.detail),
    kind: symbolKinds[node.kind],
    range: rangeOf(document, node.range),
    selectionRange: rangeOf(document, node.nameRange),
    children: node.children.map((child) => toSymbol(document, child)),
  };
}

function folds({ document, lexed }: Opened): FoldingRange[] {
  const seen = new Set<number>();
  return foldsOf(lexed).flatMap(({ start, end, kind }) => {
    const startLine = document.positionAt(start).line;
    const endLine = document.positionAt(end).line;
    if (endLine <= startLine || seen.has(startLine)) {
      return [];
    }
    seen.add(startLine);
    return [{ startLine, endLine, ...(kind === 'comment' ? { kind: FoldingRangeKind.Comment } : {}) }];
  });
}

function selections({ document, lexed }: Opened, position: Position): SelectionRange {
  const places = selectionsAt(lexed, document.offsetAt(position));
  let result: SelectionRange | undefined;
  for (const place of places.toReversed()) {
    result = { range: rangeOf(document, place), ...(result === undefined ? {} : { parent: result }) };
  }
  return result ?? { range: { start: position, end: position } };
}
