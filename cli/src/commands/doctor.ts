/** `doctor`: tests, by reading only, which assumptions hold for a service. */
import { Command } from 'commander';
import type { Finding } from '#api/client/doctor/finding.ts';
import { uselessExceptions } from '#api/client/network/proxy.ts';
import { resolveDeployment } from '#api/contract/deployment.ts';
import { forTerminal, jsonForTerminal } from '#base/shown-text/for-terminal.ts';
import { scopesOf } from '#core/connections/connection-profile.ts';
import { findingWords, summaryOf, verdictWord } from '#core/doctor/finding-messages.ts';
import type { ChosenConnection } from '../connections/choose-connection.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, write } from '../output.ts';
import { rateLimitOf, withConnectionOptions, type ConnectionOptions } from '../service.ts';

interface DoctorOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export function doctorCommand(context: CliContext): Command {
  const command = new Command('doctor')
    .summary('report which assumptions about the service hold')
    .description(
      'Reports which assumptions about the service hold, and the consequences of those that do not. Changes nothing.',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 all assumptions hold as far as read requests can tell, 1 some do not, 2 the service could not be reached.`,
    );
  return withConnectionOptions(command).action(async (options: DoctorOptions) => {
    context.end(await doctor(context, options));
  });
}

async function doctor(context: CliContext, options: DoctorOptions): Promise<number> {
  const { chooseConnection } = await import('../connections/choose-connection.ts');
  const chosen = await chooseConnection(options, { folder: context.cwd, environment: context.environment });
  const { baseUrl } = resolveDeployment(chosen.profile);
  const from = `Asking ${baseUrl} (connection "${chosen.profile.name}" of ${chosen.file})`;
  await write(context.stderr, `${forTerminal(from)}\n`);
  const useless = uselessExceptions({}, context.environment);
  if (useless.length > 0)
    await write(
      context.stderr,
      `${forTerminal(`NO_PROXY has entries that match no host: ${useless.join(', ')}. Write hosts, domains (.example.com) and networks (10.0.0.0/8).`)}\n`,
    );
  const findings = await findingsOf(chosen, context, options);
  await write(context.stdout, options.json === true ? json(chosen, findings) : report(findings));
  return findings.some(({ verdict }) => verdict === 'differs') ? exitCodes.errorsFound : exitCodes.clean;
}

async function findingsOf(
  chosen: ChosenConnection,
  { environment, signal, stderr }: CliContext,
  options: DoctorOptions,
): Promise<readonly Finding[]> {
  const { examine } = await import('#api/client/doctor/examine.ts');
  const { openNetwork, secretOf } = await import('../connections/choose-connection.ts');
  const { baseUrl, authUrl, environment: deployment, clientId, clientAuthentication } = chosen.profile;
  const clientSecret = await secretOf(chosen, environment);
  const dispatcher = await openNetwork();
  try {
    const findings: Finding[] = [];
    const all = examine({
      baseUrl,
      authUrl,
      environment: deployment,
      clientId,
      clientSecret,
      clientAuthentication,
      scopes: scopesOf(chosen.profile),
      dispatcher,
      signal,
      rateLimit: rateLimitOf(options, stderr),
    });
    for await (const finding of all) findings.push(finding);
    return findings;
  } finally {
    await dispatcher.destroy();
  }
}

function report(findings: readonly Finding[]): string {
  const width = findings.reduce((most, { verdict }) => Math.max(most, verdictWord(verdict).length), 0);
  const told = findings.map((finding) => {
    const { title, found, meaning } = findingWords(finding);
    const indent = ' '.repeat(width + 2);
    const rows = [
      `${verdictWord(finding.verdict).padEnd(width)}  ${title} (${finding.id})`,
      ...(finding.verdict === 'holds' ? [] : [`${indent}${found}`]),
      ...(meaning === undefined ? [] : [`${indent}${meaning}`]),
    ];
    return rows.map((row) => `${forTerminal(row)}\n`).join('');
  });
  return `${told.join('')}\n${forTerminal(summaryOf(findings))}\n`;
}

function json({ profile }: ChosenConnection, findings: readonly Finding[]): string {
  const assumptions = findings.map((finding) => ({
    id: finding.id,
    verdict: finding.verdict,
    ...findingWords(finding),
  }));
  const { baseUrl } = resolveDeployment(profile);
  const json = JSON.stringify({ connection: profile.name, service: baseUrl, assumptions }, undefined, 2);
  return `${jsonForTerminal(json)}\n`;
}
