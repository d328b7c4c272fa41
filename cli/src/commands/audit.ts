/** `audit`: prints and verifies the log of agent calls on this machine. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { FileRefusal, refusedWords } from '#base/files/bounded-file.ts';
import { dataFolder } from '#base/files/data-folder.ts';
import { forTerminal, jsonForTerminal } from '#base/shown-text/for-terminal.ts';
import type { AuditCheck } from '#core/agents/audit/audit-chain.ts';
import { auditFileIn } from '#core/agents/audit/audit-file.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, write } from '../output.ts';
import { positiveInteger } from '../run/numbers.ts';
import { rowsText } from '../run/rows-text.ts';

interface AuditOptions {
  readonly file?: string;
  readonly json?: boolean;
}

export function auditCommand(context: CliContext): Command {
  const audit = new Command('audit')
    .summary('show the calls of agents on this machine')
    .description('Shows agent calls on this machine, and checks that their log is unchanged.');
  audit
    .command('verify')
    .description(
      'Checks the digest chain of the log, and exits with 1 if a line was changed, removed or inserted. Keep the last digest elsewhere to detect later that lines were cut off.',
    )
    .option('--file <file>', 'the log (default: your own)')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: AuditOptions) => context.end(await verify(context, options)));
  audit
    .command('list')
    .description('Prints the most recent calls, newest first, one per line.')
    .option('--file <file>', 'the log (default: your own)')
    .option('--limit <count>', 'maximum number of calls', positiveInteger, 50)
    .option('--json', 'print them as JSON Lines, including the SQL')
    .action(async (options: AuditOptions & { readonly limit: number }) => list(context, options));
  return audit;
}

async function openLog(context: CliContext, { file }: AuditOptions) {
  const { AuditLog } = await import('#core/agents/audit/audit-log.ts');
  return new AuditLog(file ?? auditFileIn(dataFolder(context.environment)));
}

async function verify(context: CliContext, options: AuditOptions): Promise<number> {
  const log = await openLog(context, options);
  const check = await log.check().catch(sayWhich(log.file));
  if (check.lastHash === undefined && check.broken === undefined && !existsSync(log.file))
    throw new CliError(
      `There is no log ${log.file}, so nothing was verified. It begins with the first call of an agent.`,
      options.file === undefined ? [] : ['Leave out --file for the log of this machine.'],
    );
  const text = options.json === true ? JSON.stringify(check) : `${forTerminal(log.file)}: ${say(check)}`;
  await write(context.stdout, `${text}\n`);
  return check.broken === undefined ? exitCodes.clean : exitCodes.errorsFound;
}

const sayWhich = (file: string) => (error: unknown) => {
  if (!(error instanceof FileRefusal)) throw error;
  throw new CliError(`${file} cannot be read: ${refusedWords(error)}.`, [], { cause: error });
};

function say({ lines, lastHash, broken }: AuditCheck): string {
  if (broken !== undefined) return `line ${broken.line} ${reasons[broken.why]}.`;
  return lastHash === undefined
    ? 'there are no lines.'
    : `${lines === 1 ? '1 line, unchanged' : `${lines} lines, all unchanged`}. The last digest is ${lastHash}.`;
}

const reasons: Readonly<Record<NonNullable<AuditCheck['broken']>['why'], string>> = {
  unreadable: 'cannot be read',
  changed: 'was changed',
  'not-following': 'does not follow the line before it: lines were removed, inserted or cut off',
};

async function list(context: CliContext, options: AuditOptions & { readonly limit: number }): Promise<void> {
  const log = await openLog(context, options);
  for (const line of await log.newest(options.limit).catch(sayWhich(log.file))) {
    const { at, client, tool, connection, status, code, rows, subject } = line;
    const text =
      options.json === true
        ? jsonForTerminal(JSON.stringify(line))
        : forTerminal(
            [
              at,
              status,
              code,
              tool,
              subject,
              connection,
              client,
              rows === undefined ? undefined : rowsText(rows),
            ]
              .filter((part) => part !== undefined && part !== '')
              .join('  '),
          );
    await write(context.stdout, `${text}\n`);
  }
}
