/** Compares the literal check with PostgreSQL: no accepted literal is reported, and most refused ones are. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { checkLiteral } from '#server/language/types/literals/literal.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';
import { newDatabase } from '#test/helpers/new-database.ts';
import { readByPostgres } from '#test/helpers/read-literals.ts';
import { literalsByType } from './literals-by-type.ts';

const catalogue = loadTypeCatalogue();
let database: PGlite;
before(async () => {
  database = await newDatabase();
});
after(() => database.close());

const isReported = (type: string, text: string): boolean =>
  checkLiteral(catalogue, type.endsWith('[]') ? `_${type.slice(0, -2)}` : type, text) !== undefined;

describe('literals by their target type', () => {
  for (const [type, { literals, unread = [] }] of Object.entries(literalsByType)) {
    it(`agrees with PostgreSQL about ${literals.length} literals of ${type}`, async () => {
      const read = await readByPostgres(database, type, literals);
      assert.deepEqual(
        literals.filter((text) => isReported(type, text)),
        literals.filter((text) => !read.has(text)),
      );
    });

    it(`reports nothing for ${unread.length} unchecked literals of ${type}`, async () => {
      assert.deepEqual([...(await readByPostgres(database, type, unread))], []);
      assert.deepEqual(
        unread.filter((text) => isReported(type, text)),
        [],
      );
    });
  }
});
