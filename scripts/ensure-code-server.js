/** Installs code-server for host and UI tests if it is missing. */
import { ensureCodeServer } from './lib/code-server.js';

await ensureCodeServer();
