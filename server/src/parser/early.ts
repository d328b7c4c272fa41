/**
 * The server's parser, which gets ready when this module is loaded. `main.ts` imports it before the
 * protocol's library, so that PostgreSQL's grammar is compiled while the library loads (some 50 ms).
 */
import v8 from 'node:v8';
import { ServerParser } from './server-parser.ts';

// The parser's functions are large: compiling them once more, to be faster later, takes longer than it ever gives back
// to a person who types. Measured 2026-11-21 over 60 edits of 10 KB: a median of 2.7 ms in place of 8.2, 134 MB in place
// of 384. Both are needed, since flags that are set while the process runs do not imply others.
v8.setFlagsFromString('--no-wasm-tier-up');
v8.setFlagsFromString('--no-wasm-dynamic-tiering');

export const earlyParser = new ServerParser();
earlyParser.warmUp();
