/** Checks the text of controls with one shared analyzer. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { FoundControl } from '#core/controls/find-controls.ts';
import type { CheckedControl } from '#core/controls/run-control.ts';
import { findStatements } from '#server/handlers/statements.ts';
import type { Analyser } from '#server/language/checks/analyser.ts';
import { defaultModel } from '#server/language/checks/analysis.ts';
import { languageId, type StatementsParams } from '#server/protocol.ts';
import { createState } from '#server/state.ts';

const uri = 'file:///control.identity.sql';

/** @throws AbortError if the analyser was ended meanwhile, so that nothing is known of the text. */
export async function checkControl(
  analyser: Analyser,
  { text, model, control }: FoundControl,
): Promise<CheckedControl> {
  const state = createState();
  if (model !== undefined) state.documentModels.set(uri, model);
  const document = TextDocument.create(uri, languageId, 1, text);
  const statementsIn = async (range?: StatementsParams['range']) => {
    const params = { textDocument: { uri }, ...(range === undefined ? {} : { range }) };
    const found = await findStatements({ analyser, state }, document, params, () => false);
    if (found === null) throw new DOMException('The analyser was ended', 'AbortError');
    return found;
  };
  const found = await statementsIn();
  const { population } = control;
  return {
    statements: found.statements,
    ...(population === undefined ? {} : { population: (await statementsIn(population.range)).statements }),
    model: found.modelDirective ?? model ?? defaultModel,
  };
}
