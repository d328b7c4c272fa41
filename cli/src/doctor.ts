/** `identity-queries doctor`: which assumptions about a service hold, found out by reading alone. */
import { parseArgs } from 'node:util';
import { examine } from '../../api/client/doctor/examine.ts';
import type { Finding } from '../../api/client/doctor/finding.ts';
import { ApiError, CertificateError, ContractError } from '../../api/client/errors.ts';
import { resolveDeployment } from '../../api/contract/deployment.ts';
import { ConnectionFileError } from '../../core/src/connections/connection-files.ts';
import { findingWords, summaryOf, verdictWord } from '../../core/src/doctor/finding-words.ts';
import { forTerminal } from '../../core/src/shown-text/for-terminal.ts';
import {
  chooseConnection,
  openNetwork,
  secretOf,
  type ChosenConnection,
  type Surroundings,
} from './connections/choose-connection.ts';
import { doctorUsage } from './doctor-usage.ts';
import { exitCodes, write, type Streams } from './output.ts';
import { UsageError } from './usage-error.ts';

interface DoctorArguments {
  readonly connection: string | undefined;
  readonly connections: string | undefined;
  readonly clientAuthentication: 'basic' | 'body';
  readonly isJson: boolean;
}

export async function doctor(
  args: readonly string[],
  streams: Streams,
  around: Surroundings,
): Promise<number> {
  try {
    const options = argumentsOf(args);
    const chosen = await chooseConnection(options, around);
    const { baseUrl } = resolveDeployment(chosen.profile);
    const from = `Asking ${baseUrl} (connection "${chosen.profile.name}" of ${chosen.file})`;
    await write(streams.stderr, `${forTerminal(from)}\n`);
    const findings = await findingsOf(chosen, options, around);
    await write(streams.stdout, options.isJson ? json(chosen, findings) : report(findings));
    return findings.some(({ verdict }) => verdict === 'differs') ? exitCodes.errorsFound : exitCodes.clean;
  } catch (error) {
    if (!isForeseen(error)) throw error;
    await write(streams.stderr, `${lines(`identity-queries doctor: ${error.message}`)}\n`);
    return exitCodes.badInput;
  }
}

/** @throws UsageError */
function argumentsOf(args: readonly string[]): DoctorArguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        connection: { type: 'string' },
        connections: { type: 'string' },
        'client-authentication': { type: 'string', default: 'basic' },
        json: { type: 'boolean', default: false },
      },
    });
    const clientAuthentication = values['client-authentication'];
    if (clientAuthentication !== 'basic' && clientAuthentication !== 'body')
      throw new UsageError('--client-authentication is basic or body.');
    return {
      connection: values.connection,
      connections: values.connections,
      clientAuthentication,
      isJson: values.json,
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${words}\n\n${doctorUsage}`, { cause: error });
  }
}

async function findingsOf(
  { profile }: ChosenConnection,
  { clientAuthentication }: DoctorArguments,
  { environment }: Surroundings,
): Promise<readonly Finding[]> {
  const { baseUrl, authUrl, environment: deployment, clientId } = profile;
  const clientSecret = await secretOf(profile, environment);
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
      dispatcher,
      signal: new AbortController().signal,
    });
    for await (const finding of all) findings.push(finding);
    return findings;
  } finally {
    await dispatcher.destroy();
  }
}

function report(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ verdict }) => verdictWord(verdict).length));
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
  return `${JSON.stringify({ connection: profile.name, service: baseUrl, assumptions }, undefined, 2)}\n`;
}

/** Our own line ends stay; everything else is made visible. */
function lines(text: string): string {
  return text.split('\n').map(forTerminal).join('\n');
}

function isForeseen(error: unknown): error is Error {
  return [UsageError, ConnectionFileError, ApiError, ContractError, CertificateError].some(
    (kind) => error instanceof kind,
  );
}
