/** The questions of the guided connection form, in order. */
import * as vscode from 'vscode';
import {
  addressProblem,
  connectionColours,
  isEnvironmentName,
  type ConnectionColour,
} from '../../../../core/src/connections/connection-profile.ts';
import { sayAddressProblem } from '../../../../core/src/connections/connection-words.ts';
import { splitCommand } from '../../../../core/src/connections/command-line.ts';
import type { Step } from '../../ui/prompt-steps.ts';
import { named, order, type Answers, type StepName } from './connection-answers.ts';

/** Longer labels would crowd the status bar. */
const labelCharsMax = 20;

/** Facts about the other connections, and the edited one. */
export interface FormContext {
  /** The problem of a typed name; undefined if valid. */
  readonly nameProblem: (name: string) => string | undefined;
  /** Whether the stored secret stays valid. */
  readonly keepsSecret: (answers: Answers) => boolean;
}

export function stepsOf(context: FormContext): readonly Step[] {
  const steps: Readonly<Record<StepName, Step>> = {
    ...identitySteps(context),
    ...secretSteps(context),
    ...rightsSteps(),
    ...markingSteps(),
  };
  return order.map((name) => steps[name]);
}

/** Address of the service and client. */
const identitySteps = ({ nameProblem }: FormContext) =>
  ({
    name: {
      prompt: vscode.l10n.t('A name for this connection'),
      placeholder: vscode.l10n.t('Production'),
      validate: nameProblem,
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
      prompt: vscode.l10n.t('Client ID'),
      validate: (value) => (value.trim() === '' ? vscode.l10n.t('Enter a client ID.') : undefined),
    },
  }) satisfies Partial<Record<StepName, Step>>;

/** Source of the client secret. */
const secretSteps = ({ keepsSecret }: FormContext) =>
  ({
    secretFrom: {
      prompt: vscode.l10n.t('Source of the client secret'),
      choices: [
        {
          value: 'storage',
          label: vscode.l10n.t('Enter it now'),
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
          description: vscode.l10n.t('such as a vault; runs each time a token is needed'),
        },
      ],
    },
    secret: {
      prompt: vscode.l10n.t('Client secret; it goes to the secret storage of this editor'),
      password: true,
      placeholder: vscode.l10n.t('Client secret'),
      validate: (value) => (value === '' ? vscode.l10n.t('Enter a client secret.') : undefined),
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
        'Program and arguments that print the client secret on the first line; no shell is used',
      ),
      placeholder: 'vault read -field=secret identity/reader',
      validate: (value) =>
        splitCommand(value) === undefined
          ? vscode.l10n.t(
              'Enter a program and its arguments. Quote arguments with spaces, and close each quote.',
            )
          : undefined,
      skip: (answers) => named(answers).secretFrom !== 'command',
    },
  }) satisfies Partial<Record<StepName, Step>>;

/** Permissions of the connection. */
const rightsSteps = () =>
  ({
    scopes: {
      prompt: vscode.l10n.t('Scopes to request'),
      choices: [
        {
          value: 'read and write',
          label: vscode.l10n.t('Read and write'),
          icon: 'edit',
          description: vscode.l10n.t('to save queries; falls back to read if write is refused'),
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
      prompt: vscode.l10n.t('Permissions of this connection'),
      choices: [
        {
          value: 'no',
          label: vscode.l10n.t('Read data'),
          icon: 'eye',
          description: vscode.l10n.t("commands that change the service's data are off"),
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
  }) satisfies Partial<Record<StepName, Step>>;

/** Markings of the connection. */
const markingSteps = () =>
  ({
    marking: {
      prompt: vscode.l10n.t('Marking of this connection'),
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
      prompt: vscode.l10n.t('Short label beside its name; leave empty for none'),
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
  }) satisfies Partial<Record<StepName, Step>>;

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

/** Explicit permission to send secrets unencrypted; asked only if needed. */
function plainHttpStep(field: 'baseUrl' | 'authUrl'): Step {
  return {
    prompt: vscode.l10n.t('Not encrypted: others on the network can read the secret and every response'),
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
