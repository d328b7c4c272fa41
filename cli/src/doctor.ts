/** `identity-queries doctor`: which assumptions about a service hold, found out by reading alone. */
import { parseArgs } from 'node:util';
import { createDispatcher } from '../../api/client/dispatcher.ts';
import { examine } from '../../api/client/doctor/examine.ts';
import type { Finding } from '../../api/client/doctor/finding.ts';
import { ApiError, CertificateError, ContractError } from '../../api/client/errors.ts';
import { resolveDeployment } from '../../api/contract/deployment.ts';
import { findingWords, summaryOf, verdictWord } from '../../core/src/doctor/finding-words.ts';
import { forTerminal } from '../../core/src/shown-text/for-terminal.ts';
import {
  chooseConnection,
  secretOf,
  type ChosenConnection,
  type ConnectionOptions,
} from './connections/choose-connection.ts';
import { CliError, type CliContext } from './context.ts';
import { doctorUsage } from './doctor-usage.ts';
import { exitCodes, write, writeJson, type Streams } from './output.ts';

interface DoctorArguments extends ConnectionOptions {
  readonly clientAuthentication: 'basic' | 'body';
  readonly isJson: boolean;
}

type Around = Pick<CliContext, 'cwd' | 'environment'>;

export async function doctor(args: readonly string[], streams: Streams, around: Around): Promise<number> {
  try {
    const options = argumentsOf(args);
    const chosen = await chooseConnection(around, options);
    const { profile, file } = chosen;
    const from = `Asking ${resolveDeployment(profile).baseUrl} (connection "${profile.name}" of ${file ?? 'the environment'})`;
    await write(streams.stderr, `${forTerminal(from)}\n`);
    const findings = await findingsOf(chosen, options, around);
    if (options.isJson) await writeJson(streams.stdout, answerOf(chosen, findings));
    else await write(streams.stdout, report(findings));
    return findings.some(({ verdict }) => verdict === 'differs') ? exitCodes.errorsFound : exitCodes.clean;
  } catch (error) {
    if (!isForeseen(error)) throw error;
    const help = error instanceof CliError ? error.help : [];
    const said = [`identity-queries doctor: ${error.message}`, ...help];
    await write(streams.stderr, said.map((line) => `${forTerminal(line)}\n`).join(''));
    return exitCodes.badInput;
  }
}

/** @throws CliError */
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
      throw new CliError('--client-authentication is basic or body.');
    return {
      connection: values.connection,
      connections: values.connections,
      clientAuthentication,
      isJson: values.json,
    };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new CliError(words, ['', ...doctorUsage.trimEnd().split('\n')], { cause: error });
  }
}

async function findingsOf(
  chosen: ChosenConnection,
  { clientAuthentication }: DoctorArguments,
  { environment }: Around,
): Promise<readonly Finding[]> {
  const { baseUrl, authUrl, environment: deployment, clientId } = chosen.profile;
  const clientSecret = await secretOf(chosen, environment);
  const dispatcher = await createDispatcher({ proxy: 'environment', useSystemCertificates: true });
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

function answerOf({ profile }: ChosenConnection, findings: readonly Finding[]): object {
  return {
    connection: profile.name,
    service: resolveDeployment(profile).baseUrl,
    assumptions: findings.map((finding) => ({
      id: finding.id,
      verdict: finding.verdict,
      ...findingWords(finding),
    })),
  };
}

function isForeseen(error: unknown): error is Error {
  return [CliError, ApiError, ContractError, CertificateError].some((kind) => error instanceof kind);
}
