/** The guided form for a new or existing connection: short steps, each validated while typing, with a way back. */
import * as vscode from 'vscode';
import { secretKeyOf, type ConnectionProfile } from '../../../../core/src/connections/connection-profile.ts';
import { writeConnection } from '../../session/connection-settings.ts';
import { profileOf } from '../../../../core/src/connections/parse-connection.ts';
import type { FolderAnswers } from '../../session/folder-answers.ts';
import { asWritten, connectionOfFolder } from '../../../../core/src/connections/folder-entry.ts';
import type { SecretStore } from '../../session/secrets.ts';
import { promptSteps } from '../../ui/prompt-steps.ts';
import { answersOf, named, settingOf, type Answers } from './connection-answers.ts';
import { stepsOf } from './connection-steps.ts';

interface FormDependencies {
  readonly known: readonly ConnectionProfile[];
  readonly secrets: SecretStore;
}

/** Asks for a new connection and stores it. Undefined if the person cancelled. */
export async function addConnection(deps: FormDependencies): Promise<ConnectionProfile | undefined> {
  return await fillForm(vscode.l10n.t('Add Connection'), undefined, deps);
}

/**
 * Edits a connection. Undefined if the person cancelled; then nothing changes. A folder's requests stay in the settings
 * and still need permission.
 */
export async function editConnection(
  profile: ConnectionProfile,
  deps: FormDependencies & { readonly folderAnswers: FolderAnswers },
): Promise<ConnectionProfile | undefined> {
  const edited = await fillForm(vscode.l10n.t('Edit {0}', profile.name), asWritten(profile), deps);
  const { folderEntry } = profile;
  if (edited === undefined || folderEntry === undefined) return edited;
  return connectionOfFolder(edited, folderEntry, (digest) => deps.folderAnswers.of(digest));
}

async function fillForm(
  title: string,
  old: ConnectionProfile | undefined,
  { known, secrets }: FormDependencies,
): Promise<ConnectionProfile | undefined> {
  const hasSecret = old !== undefined && !(await secrets.needsToBeAsked({ ...old, secretSource: undefined }));
  const others = known.filter((profile) => profile.name !== old?.name);
  const keepsSecret = (answers: Answers) =>
    hasSecret && secretKeyOf(profileOf(settingOf(answers, old))) === secretKeyOf(old);
  const start = old === undefined ? [] : answersOf(old);
  const raw = await promptSteps(
    title,
    stepsOf({ nameProblem: (name) => nameProblem(name, others), keepsSecret }),
    { answers: start },
  );
  if (raw === undefined) return undefined;
  const answers = named(raw);
  const setting = settingOf(answers, old);
  const profile = profileOf(setting);
  // The new secret first, then the settings, then the old secret: a failure at any point loses nothing.
  if (answers.secretFrom === 'storage' && answers.secret !== '') await secrets.set(profile, answers.secret);
  await writeConnection(setting, old?.name);
  const isOtherSecret =
    answers.secretFrom !== 'storage' || (old && secretKeyOf(old) !== secretKeyOf(profile));
  if (old !== undefined && isOtherSecret === true) await secrets.forget(old, others);
  return profile;
}

/** The problem of a typed name; undefined if valid. */
function nameProblem(name: string, others: readonly ConnectionProfile[]): string | undefined {
  const wanted = name.trim();
  if (wanted === '') return vscode.l10n.t('Enter a name.');
  return others.some((other) => other.name === wanted)
    ? vscode.l10n.t('Another connection has this name.')
    : undefined;
}
