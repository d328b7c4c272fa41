/** Runs a window's controls with their current editor text, waivers and baselines. */
import * as vscode from 'vscode';
import { connectedClient } from '#client/session/connected-client.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import type { ControlResult } from '#core/controls/control-result.ts';
import { noFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { factsFor, readControlFiles } from '#core/controls/files/control-facts.ts';
import type { FoundControl } from '#core/controls/find-controls.ts';
import { runControls } from '#core/controls/run-controls.ts';
import { checkControl, controlRoot } from './control-document.ts';
import type { ControlsDependencies } from './dependencies.ts';
import { digestsOf } from './digest-key.ts';
import type { EditorControl } from './find-editor-controls.ts';

const atATime = 4;

export interface RunEditorControlsOptions {
  readonly signal: AbortSignal;
  readonly onStart?: (control: EditorControl) => void;
  readonly onEnd: (result: ControlResult, control: EditorControl) => void;
}

/** @throws AbortError if cancelled, or an error if not connected. */
export async function runEditorControls(
  deps: ControlsDependencies,
  controls: readonly EditorControl[],
  { signal, onStart, onEnd }: RunEditorControlsOptions,
): Promise<void> {
  await deps.session.ready();
  const { client, profile } = await connectedClient(deps.session);
  const connectionKey = connectionKeyOf(profile);
  const known = new Map<FoundControl, { control: EditorControl; document: vscode.TextDocument }>();
  for (const control of controls) {
    const document = await vscode.workspace.openTextDocument(control.uri);
    const text = document.getText();
    // Text in the editor, including unsaved changes.
    const read = readControl(text);
    const found = read === undefined ? control.found : { ...control.found, control: read, text };
    known.set(found, { control, document });
  }
  const digests = await digestsOf(deps);
  const root = controlRoot();
  const files = root === undefined ? undefined : await readControlFiles(root);
  const tell = (found: FoundControl, say: (control: EditorControl) => void) => {
    const one = known.get(found);
    if (one !== undefined) say(one.control);
  };
  await runControls([...known.keys()], {
    client,
    signal,
    atATime,
    check: async (found) => {
      const document = known.get(found)?.document;
      return document === undefined ? { statements: [], model: '' } : await checkControl(deps, document);
    },
    factsOf: ({ control }) =>
      files === undefined
        ? noFacts
        : factsFor(control, files, {
            isNewOnly: false,
            now: new Date(),
            connection: deps.session.connectionName,
            ...(digests === undefined ? {} : { digests }),
          }),
    onStart: (found) => tell(found, (control) => onStart?.(control)),
    onEnd: (result, found) =>
      tell(found, (control) => {
        deps.outcomes.put(control.key, result, connectionKey);
        onEnd(result, control);
      }),
  });
}
