/** Formats generated text as the formatter formats the file it is written to. */
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { fromRoot } from './paths.js';

/** @type {import('oxfmt').FormatConfig} */
const config = JSON.parse(readFileSync(fromRoot('.oxfmtrc.json'), 'utf8'));

/**
 * @param {string} file path relative to the root
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function formatted(file, text) {
  const { code, errors } = await format(file, text, config);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${file} cannot be formatted: ${error.message}`);
  return code;
}
