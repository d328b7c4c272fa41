/** The guided form for a new connection: five short steps, each checked while typing, with a way back. */
import * as vscode from 'vscode';
import { addressProblem, type ConnectionProfile } from '../../session/connection-profile.ts';
import type { SecretStore } from '../../session/secrets.ts';
import { writeConnection } from '../../session/settings.ts';
import { promptSteps, type Step } from '../../ui/prompt-steps.ts';

export async function addConnection(
  known: readonly ConnectionProfile[],
  secrets: SecretStore,
): Promise<ConnectionProfile | undefined> {
  const steps: readonly Step[] = [
    {
      prompt: vscode.l10n.t('A name for this connection'),
      placeholder: vscode.l10n.t('Production'),
      validate: (value) => {
        if (value.trim() === '') return vscode.l10n.t('A name is needed.');
        return known.some((profile) => profile.name === value.trim())
          ? vscode.l10n.t('There is a connection of this name already.')
          : undefined;
      },
    },
    {
      prompt: vscode.l10n.t('Base address of the service; {environment} in it stands for the environment'),
      placeholder: 'https://api.{environment}.example.com',
      validate: validateAddress,
    },
    {
      prompt: vscode.l10n.t(
        "Token address of production; the word prod in it becomes the environment's name",
      ),
      placeholder: 'https://auth.prod.example.com/oauth2/token',
      validate: validateAddress,
    },
    {
      prompt: vscode.l10n.t('Environment; leave empty for prod'),
      placeholder: 'prod',
      validate: (value) =>
        /^[\w-]*$/.test(value.trim()) ? undefined : vscode.l10n.t('Letters, digits and hyphens only.'),
    },
    {
      prompt: vscode.l10n.t('Client id'),
      validate: (value) => (value.trim() === '' ? vscode.l10n.t('A client id is needed.') : undefined),
    },
    {
      prompt: vscode.l10n.t('Client secret; it goes to the secret storage of this editor'),
      password: true,
      validate: (value) => (value === '' ? vscode.l10n.t('A client secret is needed.') : undefined),
    },
  ];
  const answers = await promptSteps(vscode.l10n.t('Add Connection'), steps);
  if (answers === undefined) return undefined;
  const [name = '', baseUrl = '', authUrl = '', environment = '', clientId = ''] = answers.map((text) =>
    text.trim(),
  );
  const setting = { name, baseUrl, authUrl, clientId, ...(environment === '' ? {} : { environment }) };
  const profile: ConnectionProfile = { ...setting, protected: false, source: 'settings' };
  await secrets.set(profile, answers[5] ?? '');
  await writeConnection(setting);
  return profile;
}

function validateAddress(value: string): string | undefined {
  switch (addressProblem(value.trim())) {
    case undefined:
      return undefined;
    case 'invalid':
      return vscode.l10n.t('Not an address. It looks like https://host/path.');
    case 'not-http':
      return vscode.l10n.t('The address must start with https://.');
    case 'plain-http':
      return vscode.l10n.t(
        'http:// would send the secret in clear over the network: use https:// (http is for this machine only).',
      );
    default:
      return undefined;
  }
}
