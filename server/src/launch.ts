/** Starts the language server with compiled code from an earlier start, which avoids most compilation. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { CodeCache } from '#base/files/code-cache.ts';
import { compileCacheFolder } from './compile-cache.ts';
import { setV8Flags } from './parser/v8-flags.ts';

/** An editor starts the server with a document, and a window may be short. */
const saveAfterMs = 3_000;
const file = path.join(import.meta.dirname, 'language-server.cjs');

setV8Flags();
if (process.env['NODE_DISABLE_COMPILE_CACHE'] === undefined) {
  new CodeCache(path.join(compileCacheFolder(process.env, process.platform), 'server'), saveAfterMs).load(
    file,
  );
} else {
  createRequire(import.meta.filename)(file);
}
