/** Reads the digest key from a variable or from a program that prints it; never from a file in the repository. */
import type { Command } from 'commander';
import { typedText } from '#base/advice.ts';
import { sayCommandProblem, splitCommand } from '#core/connections/command-line.ts';
import type { SecretSource } from '#core/connections/connection-profile.ts';
import { readSecretSource, SecretSourceFailure } from '#core/connections/secret-sources.ts';
import { digestKeyLengthMin, rowDigests, type RowDigests } from '#core/controls/row-digest.ts';
import { advice } from '../advice.ts';
import { saySecretProblem } from '../connections/secret-problem.ts';
import { CliError, type CliContext } from '../context.ts';

export const digestKeyVariable = 'IDENTITY_QUERIES_DIGEST_KEY';

export interface DigestKeyOptions {
  readonly digestKeyCommand?: string;
}

export function withDigestKeyOptions(command: Command): Command {
  return command.option(
    '--digest-key-command <program>',
    `a program that prints the digest key (default: the variable ${digestKeyVariable})`,
  );
}

/** Returns undefined if no key is configured. @throws CliError */
export async function readDigestKey(
  { environment }: Pick<CliContext, 'environment'>,
  { digestKeyCommand }: DigestKeyOptions,
): Promise<RowDigests | undefined> {
  const secret = await secretOf(environment, digestKeyCommand);
  if (secret === undefined) return undefined;
  if (secret.length < digestKeyLengthMin)
    throw new CliError(`The digest key is too short: it needs at least ${digestKeyLengthMin} characters.`, [
      `  Create one with: ${typedText(advice.createDigestKey())}`,
    ]);
  return rowDigests(secret);
}

/** @param subject what needs the key, for example `A baseline`. @throws CliError */
export async function requireDigestKey(
  context: Pick<CliContext, 'environment'>,
  options: DigestKeyOptions,
  subject: string,
): Promise<RowDigests> {
  const digests = await readDigestKey(context, options);
  if (digests !== undefined) return digests;
  throw new CliError(`${subject} needs a digest key, and ${digestKeyVariable} is not set.`, [
    `  Create one with: ${typedText(advice.createDigestKey())}`,
    'Keep it with your other secrets, never in the repository.',
  ]);
}

async function secretOf(
  environment: NodeJS.ProcessEnv,
  program: string | undefined,
): Promise<string | undefined> {
  if (program === undefined) {
    const value = environment[digestKeyVariable]?.trim();
    return value === '' ? undefined : value;
  }
  const command = splitCommand(program);
  if (command === undefined)
    throw new CliError(`--digest-key-command cannot be used: ${sayCommandProblem(program)}.`);
  const source: SecretSource = { kind: 'command', command };
  try {
    return await readSecretSource(source, { environment });
  } catch (error) {
    if (!(error instanceof SecretSourceFailure)) throw error;
    throw new CliError(saySecretProblem(error.problem, 'The digest key'), [], { cause: error });
  }
}
