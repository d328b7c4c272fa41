/**
 * Decides whether the command line may send a statement. It never prompts, so an unproven statement needs an option.
 */
import { areUnknownColumns, mayRun, type AskReason, type Permission } from '#core/policy/may-run.ts';
import type { CalledPart, StatementInfo } from '#server/protocol.ts';
import { CliError } from '../context.ts';

/** Values of `--allow`. A statement proven to change data is never sent. */
export const allowances = ['side-effects', 'unknown-functions', 'unverified'] as const;
export type Allowance = (typeof allowances)[number];

const allowanceOf: Readonly<Record<AskReason, Allowance>> = {
  'side-effects': 'side-effects',
  'unknown-function': 'unknown-functions',
  unverified: 'unverified',
  'syntax-error': 'unverified',
};

/** @returns the gate's permission. @throws CliError if the statement may not be sent. */
export function requireAllowed(
  title: string,
  statement: Pick<StatementInfo, 'verdict' | 'calls' | 'errors'>,
  allowed: readonly Allowance[],
): Permission {
  const permission = mayRun(statement, {
    isProofRequired: true,
    isKnownToRun: false,
    isAccepted: () => false,
  });
  switch (permission.kind) {
    case 'go':
      return permission;
    case 'refuse':
      throw new CliError(`${title} was not sent: it may change data.`, findings(statement));
    case 'ask': {
      const allowance = allowanceOf[permission.reason];
      if (allowed.includes(allowance)) return permission;
      throw new CliError(`${title} was not sent: ${reasonWords(permission)}`, [
        ...permission.parts.map((part) => `  ${partWords(part)}`),
        ...findings(statement),
        `To send it anyway, add --allow ${allowance}.`,
      ]);
    }
    default:
      return permission satisfies never;
  }
}

function reasonWords({ reason, parts }: Extract<Permission, { kind: 'ask' }>): string {
  switch (reason) {
    case 'side-effects':
      return 'it calls something that does more than read.';
    case 'unknown-function':
      if (areUnknownColumns(parts)) return 'it names columns that their tables lack.';
      return 'it calls functions that are not part of PostgreSQL, so their effects are unknown.';
    case 'unverified':
      return 'the checks could not finish, so it is not proven read-only.';
    case 'syntax-error':
      return 'PostgreSQL cannot parse it.';
    default:
      return reason satisfies never;
  }
}

function partWords({ kind, name, does, instead, isColumn }: CalledPart): string {
  if (isColumn) return `${name}, which is no column of its table: a function of this name would be called`;
  const words =
    does ?? (instead === undefined ? undefined : `does not exist in PostgreSQL. Write ${instead}.`);
  return words === undefined ? `${kind} ${name}` : `${kind} ${name} ${words}`;
}

function findings({ errors }: Pick<StatementInfo, 'errors'>): readonly string[] {
  return errors.map(
    ({ code, message }) =>
      `  ${code === undefined ? '' : `${code}: `}${typeof message === 'string' ? message : message.value}`,
  );
}
