/**
 * Compares the literal check with PostgreSQL on random strings, derived from unit-test strings of each type. The check
 * must not report a string that PostgreSQL accepts under any setting. Counts the refused strings it reports. Prints
 * JSON lines.
 *
 * npm run fuzz -- literals COUNT=500 (per type) SEED=1 in the environment
 */
import { PGlite } from '@electric-sql/pglite';
import { checkLiteral } from '#server/language/types/literals/literal.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';
import { readByPostgres } from '../helpers/read-literals.ts';
import { literalsByType } from '../unit/server/language/types/literals-by-type.ts';

const count = Number(process.env['COUNT'] ?? 500);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const shownMax = 10;
const characters = '0123456789-+:/., TZeEabxpPmM"\\{}[]()_';

const catalogue = loadTypeCatalogue();
const database = await PGlite.create();
let state = seed;
let falseAlarms = 0;

for (const [type, { literals, unread = [] }] of Object.entries(literalsByType)) {
  const own = [...literals, ...unread];
  const texts = [...new Set(Array.from({ length: count }, () => changed(one(own), own)))];
  const read = await readByPostgres(database, type, texts);
  const typeName = type.endsWith('[]') ? `_${type.slice(0, -2)}` : type;
  const found = new Set(texts.filter((text) => checkLiteral(catalogue, typeName, text) !== undefined));
  // PGlite's C library accepts an oid without digits, unlike PostgreSQL on common platforms.
  const alarms = [...found].filter((text) => read.has(text) && text.trim() !== '0x');
  falseAlarms += alarms.length;
  const refused = texts.length - read.size;
  process.stdout.write(
    `${JSON.stringify({
      type,
      texts: texts.length,
      read: read.size,
      refused,
      found: found.size - alarms.length,
      falseAlarms: alarms.length,
      ...(alarms.length === 0 ? {} : { alarms: alarms.slice(0, shownMax) }),
    })}\n`,
  );
}
process.stdout.write(`${JSON.stringify({ fuzz: 'literals', seed, falseAlarms })}\n`);
process.exitCode = falseAlarms > 0 ? 1 : 0;
await database.close();

function number(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function one(texts: readonly string[]): string {
  return texts[number(texts.length)] ?? '';
}

/**
 * Makes one or more edits: removes, adds or replaces a character, appends another string's end, or changes a number.
 */
function changed(text: string, others: readonly string[]): string {
  const at = number(text.length + 1);
  const character = characters.charAt(number(characters.length));
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const other = one(others);
  const made = [
    before + after.slice(1),
    before + character + after,
    before + character + after.slice(1),
    before + other.slice(number(other.length + 1)),
    text.replace(/\d+/, (digits) => String(Number(digits) + number(60))),
    `${text} ${other}`,
  ];
  const next = one(made);
  return number(2) === 0 ? next : changed(next, others);
}
