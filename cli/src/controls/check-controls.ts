/** Checks the text of controls with one shared analyzer. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { FoundControl } from '#core/controls/find-controls.ts';
import type { CheckedControl } from '#core/controls/run-control.ts';
import { findStatements } from '#server/handlers/statements.ts';
import type { Analyser } from '#server/language/checks/analyser.ts';
import { defaultModel } from '#server/language/checks/analysis.ts';
import { languageId } from '#server/protocol.ts';
import { createState } from '#server/state.ts';

const uri = 'file:///control.identity.sql';

export async function checkControl(
  analyser: Analyser,
  { text, model }: FoundControl,
): Promise<CheckedControl> {
  const state = createState();
  if (model !== undefined) state.documentModels.set(uri, model);
  const document = TextDocument.create(uri, languageId, 1, text);
  const found = await findStatements({ analyser, state }, document, { textDocument: { uri } }, () => false);
  return {
    statements: found?.statements ?? [],
    model: found?.modelDirective ?? model ?? defaultModel,
  };
}
