/** Runs the bundled command line for `typed-program.ts`, one command after the other, in the caller's surroundings. */
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { runBundled } from './command-line.ts';

interface Typed {
  readonly args: readonly string[];
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

let last: Promise<unknown> = Promise.resolve();

async function runTyped({ args, input, env, cwd }: Typed): Promise<string> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  return JSON.stringify(await runBundled(args, { cwd, input, environment: process.env }));
}

const server = createServer({ allowHalfOpen: true }, (socket) => {
  const ran = Promise.all([text(socket), last]).then(([asked]) => runTyped(JSON.parse(asked) as Typed)); // of our program
  last = ran.then(
    (outcome) => socket.end(outcome),
    (error: unknown) => socket.destroy(error instanceof Error ? error : undefined),
  );
});
server.listen(process.argv[2], () => process.send?.('listening'));
process.on('disconnect', () => process.exit());
