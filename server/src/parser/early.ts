/**
 * The server's parser, whose worker starts when this module is loaded. The process' first module imports it before
 * the protocol's library, so that the worker compiles PostgreSQL's grammar while the library loads (some 50 ms).
 */
import { WorkerParser } from './worker-parser.ts';

export const earlyParser = new WorkerParser();
earlyParser.warmUp();
