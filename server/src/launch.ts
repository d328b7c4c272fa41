/**
 * Starts the language server with Node.js' compile cache, which saves most of the compilation from the second start on.
 * https://nodejs.org/api/module.html#module-compile-cache
 */
import * as nodeModule from 'node:module';
import { compileCacheFolder } from './compile-cache.ts';

/** Late enough that the startup code has run and no one waits for the first responses. */
const flushAfterMs = 5_000;

// The command line also runs on Node.js without a compile cache; a disabled or unwritable one does no harm.
const { enableCompileCache, flushCompileCache } = nodeModule as Partial<typeof nodeModule>;
enableCompileCache?.(compileCacheFolder(process.env, process.platform));
// Node.js writes the cache at a regular exit, but an editor may kill this process.
setTimeout(() => flushCompileCache?.(), flushAfterMs).unref();

void import('./main.ts');
