/** Starts the language server with compiled code from an earlier start, which avoids most compilation. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { CodeCache } from '../../core/src/util/files/code-cache.ts';
import { compileCacheFolder } from './compile-cache.ts';
import type * as Server from './main.ts';
import { setV8Flags } from './parser/v8-flags.ts';

const file = path.join(import.meta.dirname, 'language-server.cjs');

setV8Flags();
if (process.env['NODE_DISABLE_COMPILE_CACHE'] === undefined) {
  const cache = new CodeCache(path.join(compileCacheFolder(process.env, process.platform), 'server'));
  const { stopped } = cache.load(file) as typeof Server; // our own bundle
  // A window may be short. Saved before the process exits: there, V8 waits for its other threads, and they may wait for
  // memory that only this thread can free (Node.js 24 hung in one of 30 runs).
  void stopped.then(() => cache.save());
} else {
  createRequire(import.meta.filename)(file);
}
