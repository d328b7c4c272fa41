/** Installs the code-server that host and UI tests run in, unless it is there. */
import { ensureCodeServer } from './lib/code-server.js';

await ensureCodeServer();
