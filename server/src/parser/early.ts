/**
 * Starts loading the server's parser on import. `main.ts` imports this module before the protocol library, so that
 * PostgreSQL's grammar compiles in parallel (about 50 ms).
 */
import { ServerParser } from './server-parser.ts';
import { setV8Flags } from './v8-flags.ts';

setV8Flags();

export const earlyParser = new ServerParser();
earlyParser.warmUp();
