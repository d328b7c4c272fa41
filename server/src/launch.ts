/**
 * Starts the language server with Node.js's compile cache, which avoids most compilation after the first start.
 * https://nodejs.org/api/module.html#module-compile-cache
 */
import * as nodeModule from 'node:module';
import { compileCacheFolder } from './compile-cache.ts';

/** Late enough that the startup code has been compiled and the first requests have been answered. */
const flushAfterMs = 5_000;

// The command line may run on a Node.js version without a compile cache. A disabled or read-only cache is harmless.
const { enableCompileCache, flushCompileCache } = nodeModule as Partial<typeof nodeModule>;
enableCompileCache?.(compileCacheFolder(process.env, process.platform));
// Node.js writes the cache on a regular exit, but an editor may kill this process.
setTimeout(() => flushCompileCache?.(), flushAfterMs).unref();

void import('./main.ts');
