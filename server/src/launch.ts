/**
 * What starts the language server: Node.js is told to keep what it compiled of it, then the server is loaded. From the
 * second start on that saves most of the compiling.
 * https://nodejs.org/api/module.html#module-compile-cache
 */
import * as nodeModule from 'node:module';
import { compileCacheFolder } from './compile-cache.ts';

/** By then the code that a start needs has run, and nobody waits for an answer of the first moments. */
const flushAfterMs = 5_000;

// The command line runs on versions of Node.js that have none; one that is switched off or cannot write does no harm.
const { enableCompileCache, flushCompileCache } = nodeModule as Partial<typeof nodeModule>;
enableCompileCache?.(compileCacheFolder(process.env, process.platform));
// An editor may end this process without letting it end by itself, which is when Node.js writes.
setTimeout(() => flushCompileCache?.(), flushAfterMs).unref();

void import('./main.ts');
