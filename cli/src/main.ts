/** `identity-queries`: the checks without an editor, and the sandbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Analyser } from '../../server/src/language/analyser.ts';
import { WorkerParser } from '../../server/src/parser/worker-parser.ts';
import { checkFiles } from './check-files.ts';
import { checkJsonl } from './check-jsonl.ts';
import { exitCodes, write, type Streams } from './output.ts';

const usage = `Usage:
  identity-queries check FILE...
      Checks query files and prints what is wrong: FILE:LINE:COLUMN: SEVERITY CODE: MESSAGE
  identity-queries check --jsonl [FILE...]
      Reads one { "id", "sql", "model"?, "models"? } a line (from standard input without FILE) and
      prints one { "id", "diagnostics" } a line. Lines and columns count from 1, columns in UTF-16 units.
  identity-queries sandbox [OPTION...]
      Starts the local service with sample data; see identity-queries sandbox --help

Exit code: 0 nothing wrong, 1 errors found, 2 wrong usage or input that cannot be read or understood.
`;

async function run(args: readonly string[], streams: Streams): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case 'check':
      return check(rest, streams);
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
  const isJsonl = args.includes('--jsonl');
  const files = args.filter((argument) => argument !== '--jsonl');
  const unknown = files.find((argument) => argument.startsWith('-') && argument !== '-');
  if (unknown !== undefined) {
    return misused(streams, `There is no option ${unknown}.`);
  }
  if (files.length === 0 && !isJsonl) {
    return misused(streams, 'No file was named.');
  }
  // Nobody is typing: a statement may take longer than in the editor.
  const parser = new WorkerParser({ timeLimitsMs: [5_000, 10_000] });
  try {
    const analyser = new Analyser(parser);
    return await (isJsonl ? checkJsonl(analyser, files, streams) : checkFiles(analyser, files, streams));
  } finally {
    await parser.dispose();
  }
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
