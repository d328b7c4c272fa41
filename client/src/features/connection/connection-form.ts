/** The guided form of a connection, new or known: short steps, each checked while typing, with a way back. */
import * as vscode from 'vscode';
import {
  addressProblem,
  connectionColours,
  isEnvironmentName,
  secretKeyOf,
  type ConnectionColour,
  type ConnectionProfile,
  type ConnectionScopes,
} from '../../../../core/src/connections/connection-profile.ts';
import { sayAddressProblem } from '../../../../core/src/connections/connection-words.ts';
import { writeConnection } from '../../session/connection-settings.ts';
import { profileOf, type ConnectionSetting } from '../../../../core/src/connections/parse-connection.ts';
import type { FolderAnswers } from '../../session/folder-answers.ts';
import { asWritten, connectionOfFolder } from '../../../../core/src/connections/folder-entry.ts';
import type { SecretStore } from '../../session/secrets.ts';
import { promptSteps, type Step } from '../../ui/prompt-steps.ts';
import { joinCommand, splitCommand } from '../../../../core/src/connections/command-line.ts';

interface FormDependencies {
  readonly known: readonly ConnectionProfile[];
  readonly secrets: SecretStore;
}

/** Longer ones push everything else out of the status bar. */
const labelCharsMax = 20;

/** The steps by name, in their order: what the answers are read by. */
const order = [
  'name',
  'baseUrl',
  'basePlain',
  'authUrl',
  'authPlain',
  'environment',
  'clientId',
  'secretFrom',
  'secret',
  'variable',
  'command',
  'scopes',
  'changes',
  'marking',
  'label',
  'colour',
] as const;
type StepName = (typeof order)[number];
type Answers = Readonly<Record<StepName, string>>;

function named(answers: readonly string[]): Answers {
  const entries = order.map((name, index) => {
    const text = answers[index] ?? '';
    return [name, name === 'secret' ? text : text.trim()] as const;
  });
  return Object.fromEntries(entries) as Answers; // every name is in `order`
}

/** Asks for a new connection and stores it. Undefined when the person left. */
export async function addConnection(deps: FormDependencies): Promise<ConnectionProfile | undefined> {
  return await fillForm(vscode.l10n.t('Add Connection'), undefined, deps);
}

/**
 * Asks what to change of a connection. Undefined when the person left; nothing is changed then. What a folder wrote and
 * is not in force stays written, and has to be allowed as before.
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
  const checkName = (name: string) => nameProblem(name, others);
  const keepsSecret = (answers: Answers) =>
    hasSecret && secretKeyOf(profileOf(settingOf(answers, old))) === secretKeyOf(old);
  const start = old === undefined ? [] : answersOf(old);
  const raw = await promptSteps(title, stepsOf(checkName, keepsSecret), { answers: start });
  if (raw === undefined) return undefined;
  const answers = named(raw);
  const setting = settingOf(answers, old);
  const profile = profileOf(setting);
  // The new secret first, then the settings, then the old secret: whatever fails, nothing is lost.
  if (answers.secretFrom === 'storage' && answers.secret !== '') await secrets.set(profile, answers.secret);
  await writeConnection(setting, old?.name);
  const isOtherSecret =
    answers.secretFrom !== 'storage' || (old && secretKeyOf(old) !== secretKeyOf(profile));
  if (old !== undefined && isOtherSecret === true) await secrets.forget(old, others);
  return profile;
}

/** What is wrong with a name that is typed; undefined: nothing. */
function nameProblem(name: string, others: readonly ConnectionProfile[]): string | undefined {
  const wanted = name.trim();
  if (wanted === '') return vscode.l10n.t('A name is needed.');
  return others.some((other) => other.name === wanted)
    ? vscode.l10n.t('A connection has this name already.')
    : undefined;
}

function stepsOf(
  checkName: (name: string) => string | undefined,
  keepsSecret: (answers: Answers) => boolean,
): readonly Step[] {
  const steps: Readonly<Record<StepName, Step>> = {
    name: {
      prompt: vscode.l10n.t('A name for this connection'),
      placeholder: vscode.l10n.t('Production'),
      validate: checkName,
    },
    baseUrl: {
      prompt: vscode.l10n.t('Base address of the service; {environment} in it stands for the environment'),
      placeholder: 'https://api.{environment}.example.com',
      validate: validateAddress,
    },
    basePlain: plainHttpStep('baseUrl'),
    authUrl: {
      prompt: vscode.l10n.t(
        "Token address of production; the word prod in it becomes the environment's name",
      ),
      placeholder: 'https://auth.prod.example.com/oauth2/token',
      validate: validateAddress,
    },
    authPlain: { ...plainHttpStep('authUrl') },
    environment: {
      prompt: vscode.l10n.t('Environment; leave empty for prod'),
      placeholder: 'prod',
      validate: (value) =>
        value.trim() === '' || isEnvironmentName(value.trim())
          ? undefined
          : vscode.l10n.t('Letters, digits and hyphens only.'),
    },
    clientId: {
      prompt: vscode.l10n.t('Client id'),
      validate: (value) => (value.trim() === '' ? vscode.l10n.t('A client id is needed.') : undefined),
    },
    secretFrom: {
      prompt: vscode.l10n.t('Where the client secret comes from'),
      choices: [
        {
          value: 'storage',
          label: vscode.l10n.t('I enter it now'),
          icon: 'key',
          description: vscode.l10n.t('kept in the secret storage of this editor'),
        },
        {
          value: 'variable',
          label: vscode.l10n.t('From an environment variable'),
          icon: 'symbol-variable',
          description: vscode.l10n.t('set where the editor is started'),
        },
        {
          value: 'command',
          label: vscode.l10n.t('From a program'),
          icon: 'terminal',
          description: vscode.l10n.t('such as a vault; asked each time a token is needed'),
        },
      ],
    },
    secret: {
      prompt: vscode.l10n.t('Client secret; it goes to the secret storage of this editor'),
      password: true,
      placeholder: vscode.l10n.t('Client secret'),
      validate: (value) => (value === '' ? vscode.l10n.t('A client secret is needed.') : undefined),
      skip: (answers) => named(answers).secretFrom !== 'storage' || keepsSecret(named(answers)),
    },
    variable: {
      prompt: vscode.l10n.t('Name of the environment variable that holds the client secret'),
      placeholder: 'IDENTITY_CLIENT_SECRET',
      validate: (value) =>
        /^[^\s=]+$/.test(value.trim())
          ? undefined
          : vscode.l10n.t('Enter the name of an environment variable.'),
      skip: (answers) => named(answers).secretFrom !== 'variable',
    },
    command: {
      prompt: vscode.l10n.t(
        'Program and arguments that print the client secret on their first line; no shell is used',
      ),
      placeholder: 'vault read -field=secret identity/reader',
      validate: (value) =>
        splitCommand(value) === undefined
          ? vscode.l10n.t('A program and its arguments; quote what holds spaces, and close each quote.')
          : undefined,
      skip: (answers) => named(answers).secretFrom !== 'command',
    },
    scopes: {
      prompt: vscode.l10n.t('Scopes to request'),
      choices: [
        {
          value: 'read and write',
          label: vscode.l10n.t('Read and write'),
          icon: 'edit',
          description: vscode.l10n.t('to save queries; read alone where write is refused'),
        },
        {
          value: 'read',
          label: vscode.l10n.t('Read'),
          icon: 'eye',
          description: vscode.l10n.t("you can't save or change anything"),
        },
      ],
    },
    changes: {
      prompt: vscode.l10n.t('Rights of this connection'),
      choices: [
        {
          value: 'no',
          label: vscode.l10n.t('Read data'),
          icon: 'eye',
          description: vscode.l10n.t('commands that change data of the service are off'),
        },
        {
          value: 'yes',
          label: vscode.l10n.t('Read and change data'),
          icon: 'edit',
          description: vscode.l10n.t('each change is confirmed first'),
        },
      ],
      skip: (answers) => named(answers).scopes === 'read',
    },
    marking: {
      prompt: vscode.l10n.t('Mark of this connection'),
      choices: [
        { value: 'plain', label: vscode.l10n.t('Not marked'), icon: 'plug' },
        {
          value: 'protected',
          label: vscode.l10n.t('Protected'),
          icon: 'shield',
          description: vscode.l10n.t('marked in the status bar and with every result: for production'),
        },
      ],
    },
    label: {
      prompt: vscode.l10n.t('Short label beside its name wherever it is shown; leave empty for none'),
      placeholder: 'PROD',
      validate: (value) =>
        value.trim().length > labelCharsMax
          ? vscode.l10n.t('At most {0} characters.', labelCharsMax)
          : undefined,
    },
    colour: {
      prompt: vscode.l10n.t('Its colour in the status bar and with every result'),
      choices: [
        { value: '', label: vscode.l10n.t('No colour') },
        ...connectionColours.map((colour) => ({ value: colour, label: sayColour(colour) })),
      ],
    },
  };
  return order.map((name) => steps[name]);
}

function sayColour(colour: ConnectionColour): string {
  switch (colour) {
    case 'red':
      return vscode.l10n.t('Red');
    case 'orange':
      return vscode.l10n.t('Orange');
    case 'yellow':
      return vscode.l10n.t('Yellow');
    case 'green':
      return vscode.l10n.t('Green');
    case 'blue':
      return vscode.l10n.t('Blue');
    case 'purple':
      return vscode.l10n.t('Purple');
    default:
      return colour satisfies never;
  }
}

/** The explicit yes to an address that sends secrets in clear; asked only where there is one. */
function plainHttpStep(field: 'baseUrl' | 'authUrl'): Step {
  return {
    prompt: vscode.l10n.t('Not encrypted: others on the network can read the secret and every answer'),
    choices: [
      {
        value: 'yes',
        label: vscode.l10n.t('Use http:// anyway'),
        icon: 'warning',
        description: vscode.l10n.t('the secret and the tokens cross the network unencrypted'),
      },
    ],
    skip: (answers) => addressProblem(named(answers)[field]) !== 'plain-http',
  };
}

function validateAddress(value: string): string | undefined {
  const problem = addressProblem(value.trim());
  return problem === undefined || problem === 'plain-http' ? undefined : sayAddressProblem(problem);
}

function answersOf(profile: ConnectionProfile): readonly string[] {
  const source = profile.secretSource;
  const answers: Answers = {
    name: profile.name,
    baseUrl: profile.baseUrl,
    basePlain: '',
    authUrl: profile.authUrl,
    authPlain: '',
    environment: profile.environment ?? '',
    clientId: profile.clientId,
    secretFrom: source?.kind ?? 'storage',
    secret: '',
    variable: source?.kind === 'variable' ? source.name : '',
    command: source?.kind === 'command' ? joinCommand(source.command) : '',
    scopes: profile.scopes ?? 'read and write',
    changes: profile.allowChanges ? 'yes' : 'no',
    marking: profile.protected ? 'protected' : 'plain',
    label: profile.label ?? '',
    colour: profile.colour ?? '',
  };
  return order.map((name) => answers[name]);
}

/** What is not asked for stays as it was. */
function settingOf(answers: Answers, old: ConnectionProfile | undefined): ConnectionSetting {
  const { environment } = answers;
  const isPlain = [answers.baseUrl, answers.authUrl].some((url) => addressProblem(url) === 'plain-http');
  const command = splitCommand(answers.command);
  const colour = connectionColours.find((each) => each === answers.colour);
  const scopes = scopesAnswered(answers, old);
  return {
    name: answers.name,
    baseUrl: answers.baseUrl,
    authUrl: answers.authUrl,
    ...(environment === '' ? {} : { environment }),
    clientId: answers.clientId,
    ...(scopes === undefined ? {} : { scopes }),
    ...(answers.label === '' ? {} : { label: answers.label }),
    ...(colour === undefined ? {} : { colour }),
    ...(answers.marking === 'protected' ? { protected: true } : {}),
    ...(answers.changes === 'yes' ? { allowChanges: true } : {}),
    ...(isPlain ? { allowPlainHttp: true } : {}),
    ...(answers.secretFrom === 'variable' ? { secretVariable: answers.variable } : {}),
    ...(answers.secretFrom === 'command' && command !== undefined ? { secretCommand: command } : {}),
  };
}

/** Both are what a connection asks for where nothing is written. */
function scopesAnswered(answers: Answers, old: ConnectionProfile | undefined): ConnectionScopes | undefined {
  if (answers.scopes === 'read') return 'read';
  return old?.scopes === 'read' ? undefined : old?.scopes;
}
