/** Writes the third-party notices. With `--check`, it only lists missing ones. */
import { readFileSync, writeFileSync } from 'node:fs';
import { missingFrom, noticesFile, writtenNotices } from './lib/notices.js';
import { fromRoot } from './lib/paths.js';

const file = fromRoot(noticesFile);
if (process.argv.includes('--check')) {
  const missing = missingFrom(readFileSync(file, 'utf8'));
  for (const name of missing) process.stderr.write(`${noticesFile} lacks ${name}\n`);
  process.exit(missing.length === 0 ? 0 : 1);
}
const text = writtenNotices();
writeFileSync(file, text);
process.stdout.write(`${noticesFile}: ${text.length} characters\n`);
