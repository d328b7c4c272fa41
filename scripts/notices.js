/** Writes the third-party notices of what is bundled. Packaging runs it, so the file is never out of date. */
import { renameSync, writeFileSync } from 'node:fs';
import { noticesFile, writtenNotices } from './lib/notices.js';
import { fromRoot } from './lib/paths.js';

const file = fromRoot(noticesFile);
const text = writtenNotices();
// Another process may be copying the file.
writeFileSync(`${file}.part`, text);
renameSync(`${file}.part`, file);
process.stdout.write(`${noticesFile}: ${text.length} characters\n`);
