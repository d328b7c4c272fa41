/** `identity-queries`: the checks without an editor, the language server for any editor, and the sandbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Analyser } from '../../server/src/language/analyser.ts';
import { DialectAnalyser } from '../../server/src/language/dialect/analyse.ts';
import { dialects, parseDialect, type Dialect } from '../../server/src/language/dialect/dialects.ts';
import { WorkerDialectParser } from '../../server/src/parser/dialect-parser.ts';
import { WorkerParser } from '../../server/src/parser/worker-parser.ts';
import { checkFiles } from './check-files.ts';
import { checkJsonl } from './check-jsonl.ts';
import { doctorUsage } from './doctor-usage.ts';
import { exitCodes, write, type Streams } from './output.ts';

const usage = `Usage:
  identity-queries check FILE...
      Checks query files and prints what is wrong: FILE:LINE:COLUMN: SEVERITY CODE: MESSAGE
  identity-queries check --jsonl [FILE...]
      Reads one { "id", "sql", "model"?, "models"? } a line (from standard input without FILE) and
      prints one { "id", "diagnostics" } a line. Lines and columns count from 1, columns in UTF-16 units.
      A model is a name, or { "name", "tables": [{ "name", "columns": [{ "name", "type"?, "nullable"? }] }] }.
      --dialect NAME: ${dialects.join(', ')}
      in place of postgresql.
${doctorUsage}  identity-queries server --stdio
      Runs the language server over standard streams, for any editor that speaks LSP.
  identity-queries sandbox [OPTION...]
      Starts the local service with sample data; see identity-queries sandbox --help

Exit code: 0 nothing wrong, 1 errors found, 2 wrong usage or input that cannot be read or understood.
`;

async function run(args: readonly string[], streams: Streams): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case 'check':
      return check(rest, streams);
    case 'doctor':
      return doctor(rest, streams);
    case 'server':
      return serve(rest, streams);
    case 'sandbox':
      return sandbox(rest);
    case 'help':
    case '--help':
    case '-h':
      await write(streams.stdout, usage);
      return exitCodes.clean;
    default:
      return misused(
        streams,
        command === undefined ? 'A command is missing.' : `There is no command ${command}.`,
      );
  }
}

async function check(args: readonly string[], streams: Streams): Promise<number> {
  const read = readCheckArguments(args);
  if (typeof read === 'string') {
    return misused(streams, read);
  }
  const { isJsonl, files, dialect } = read;
  // Nobody is typing: a statement may take longer than in the editor.
  const parser = new WorkerParser({ timeLimitsMs: [5_000, 10_000] });
  const dialectParser = new WorkerDialectParser({ timeLimitMs: 2_000 });
  try {
    const analyser = inDialect(new Analyser(parser, new DialectAnalyser(dialectParser)), dialect);
    return await (isJsonl ? checkJsonl(analyser, files, streams) : checkFiles(analyser, files, streams));
  } finally {
    await Promise.all([parser.dispose(), dialectParser.dispose()]);
  }
}

interface CheckArguments {
  readonly isJsonl: boolean;
  readonly files: readonly string[];
  /** Undefined for PostgreSQL. */
  readonly dialect: Dialect | undefined;
}

/** Or what is wrong with them. */
function readCheckArguments(args: readonly string[]): CheckArguments | string {
  const option = args.indexOf('--dialect');
  const name = option < 0 ? 'postgresql' : args[option + 1];
  const dialect = parseDialect(name);
  if (dialect === undefined && name !== 'postgresql') {
    return name === undefined ? 'The name behind --dialect is missing.' : `There is no dialect ${name}.`;
  }
  const others = args.filter((_, index) => option < 0 || (index !== option && index !== option + 1));
  const isJsonl = others.includes('--jsonl');
  const files = others.filter((argument) => argument !== '--jsonl');
  const unknown = files.find((argument) => argument.startsWith('-') && argument !== '-');
  if (unknown !== undefined) {
    return `There is no option ${unknown}.`;
  }
  return files.length === 0 && !isJsonl ? 'No file was named.' : { isJsonl, files, dialect };
}

/** The same analyser with the dialect added to whatever it is asked. */
function inDialect(analyser: Analyser, dialect: Dialect | undefined): Pick<Analyser, 'analyse'> {
  return dialect === undefined
    ? analyser
    : {
        analyse: (text, options, isCancelled) => analyser.analyse(text, { ...options, dialect }, isCancelled),
      };
}

/** Loaded when asked for: checks need nothing of the network. */
async function doctor(args: readonly string[], streams: Streams): Promise<number> {
  const command = await import('./doctor.ts');
  return await command.doctor(args, streams, { cwd: process.cwd(), environment: process.env });
}

/**
 * The language server lies beside this program and takes over this process: it reads `--stdio` from the command line
 * itself, and ends the process when the editor says so.
 */
async function serve(args: readonly string[], streams: Streams): Promise<number> {
  if (args.length !== 1 || args[0] !== '--stdio') {
    return misused(streams, 'The server talks over standard streams: identity-queries server --stdio');
  }
  await import(pathToFileURL(path.join(import.meta.dirname, 'server.cjs')).href);
  return exitCodes.clean;
}

/** The sandbox is a program of its own, beside this one. */
async function sandbox(args: readonly string[]): Promise<number> {
  const program = path.join(import.meta.dirname, 'sandbox', 'main.js');
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const [code] = (await once(child, 'exit')) as [number | null]; // Node's documented arguments of `exit`
  return code ?? exitCodes.clean;
}

async function misused({ stderr }: Streams, problem: string): Promise<number> {
  await write(stderr, `identity-queries: ${problem}\n\n${usage}`);
  return exitCodes.badInput;
}

// A reader that has seen enough (`| head`) ends us quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.clean : exitCodes.badInput);
});
process.exitCode = await run(process.argv.slice(2), process);
