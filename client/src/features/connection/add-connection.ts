/** The guided form for a new connection: five short steps, each checked while typing, with a way back. */
import * as vscode from 'vscode';
import {
  addressProblem,
  isEnvironmentName,
  type ConnectionProfile,
} from '../../session/connection-profile.ts';
import type { SecretStore } from '../../session/secrets.ts';
import { sayAddressProblem, writeConnection } from '../../session/connection-settings.ts';
import { profileOf } from '../../session/parse-connection.ts';
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
        value.trim() === '' || isEnvironmentName(value.trim())
          ? undefined
          : vscode.l10n.t('Letters, digits and hyphens only.'),
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
  const profile = profileOf(setting);
  await secrets.set(profile, answers[5] ?? '');
  await writeConnection(setting);
  return profile;
}

function validateAddress(value: string): string | undefined {
  const problem = addressProblem(value.trim());
  return problem && sayAddressProblem(problem);
}
