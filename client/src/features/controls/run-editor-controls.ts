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
import { ExpectedError, failureOf } from '#core/failures/failure.ts';
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

/** @throws AbortError if cancelled, or an error if the service is not connected or out of reach. */
export async function runEditorControls(
  deps: ControlsDependencies,
  controls: readonly EditorControl[],
  { signal, onStart, onEnd }: RunEditorControlsOptions,
): Promise<void> {
  await deps.session.ready();
  const { client, profile } = await connectedClient(deps.session);
  const connectionKey = connectionKeyOf(profile);
  const known = new Map<FoundControl, KnownControl>();
  for (const control of controls) {
    signal.throwIfAborted();
    const opened = await openedOrProblem(deps, control);
    known.set(opened instanceof ExpectedError ? control.found : opened.found, { control, opened });
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
      const opened = known.get(found)?.opened;
      if (opened instanceof ExpectedError) throw opened;
      return opened === undefined ? { statements: [], model: '' } : await checkControl(deps, opened.document);
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

interface OpenedControl {
  readonly found: FoundControl;
  readonly document: vscode.TextDocument;
}

interface KnownControl {
  readonly control: EditorControl;
  readonly opened: OpenedControl | ExpectedError;
}

/** What cannot be opened, or is no control any more, was not judged, and must not keep the others from it. */
async function openedOrProblem(
  { session }: Pick<ControlsDependencies, 'session'>,
  { uri, found }: EditorControl,
): Promise<OpenedControl | ExpectedError> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    // Text in the editor, including unsaved changes.
    const text = document.getText();
    const control = readControl(text);
    return control === undefined
      ? new ExpectedError(vscode.l10n.t('Its text is no longer a control.'))
      : { found: { ...found, control, text }, document };
  } catch (error) {
    const failure = failureOf(error);
    // Out of reach, none can be read.
    if (session.away !== undefined || failure.kind === 'cancelled') throw error;
    const reason = failure.message.replace(/\.$/, '');
    return new ExpectedError(vscode.l10n.t('Cannot be read: {0}.', reason), [], { cause: error });
  }
}
