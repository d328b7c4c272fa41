/** Inlay hints using protocol types. Inferred parameter types need the check's result. */
import { InlayHintKind, type InlayHint, type Range } from 'vscode-languageserver-types';
import { escapeHidden } from '#base/shown-text/hidden-characters.ts';
import type { Analyser } from '../language/checks/analyser.ts';
import { inferredTypes } from '../language/checks/parameters/inferred-parameters.ts';
import {
  inlayNotes,
  needsTypes,
  type InferType,
  type InlaySettings,
} from '../language/editing/inlay-hints.ts';
import { optionsFor, type ServerState } from '../state.ts';
import type { FeatureLimit } from './feature-limit.ts';
import type { Opened } from './opened.ts';

export interface InlayDeps {
  readonly analyser: Analyser;
  readonly state: ServerState;
  readonly limit: FeatureLimit;
}

const nothingInferred: InferType = () => undefined;

/** Returns null if the request was cancelled or the document changed; the editor then requests the hints again. */
export async function inlayHints(
  deps: InlayDeps,
  opened: Opened,
  settings: InlaySettings,
  range: Range,
  isCancelled: () => boolean,
): Promise<InlayHint[] | null> {
  const { document, lexed, context } = opened;
  const { version } = document;
  const inferType = needsTypes(lexed, settings) ? await infer(deps, opened, isCancelled) : nothingInferred;
  if (inferType === undefined || document.version !== version) return null;
  const places = { from: document.offsetAt(range.start), to: document.offsetAt(range.end) };
  const notes = deps.limit.answer('hints', document, () =>
    inlayNotes(lexed, context, { settings, ...places, inferType }),
  );
  return (notes ?? []).map(({ offset, label, kind }) => ({
    position: document.positionAt(offset),
    label: escapeHidden(label),
    ...(kind === 'type' ? { kind: InlayHintKind.Type } : {}),
    paddingLeft: kind === 'count',
  }));
}

async function infer(
  { analyser, state }: InlayDeps,
  { document, context }: Opened,
  isCancelled: () => boolean,
): Promise<InferType | undefined> {
  const analysis = await analyser.analyse(document.getText(), optionsFor(state, document.uri), isCancelled);
  return analysis === undefined ? undefined : inferredTypes(analysis.statements, context);
}
