/**
 * The server's parser, which gets ready when this module is loaded. The process' first module imports it before the
 * protocol's library, so that PostgreSQL's grammar is compiled while the library loads (some 50 ms).
 */
import { ServerParser } from './server-parser.ts';

export const earlyParser = new ServerParser();
earlyParser.warmUp();
