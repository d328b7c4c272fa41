/** docs/assumptions.md matches the table in the code; UPDATE_DOCS=1 updates the document. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assumptions, type Assumption } from '#api/contract/assumptions.ts';
import { endpoints, type Endpoint } from '#api/contract/endpoints.ts';

const file = new URL('../../../docs/assumptions.md', import.meta.url);

function document(): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const table: Endpoint[] = Object.values(endpoints);
  const rows = Object.entries<Assumption>(assumptions).map(([id, { gap, decision, otherwise }]) => {
    const used = table.filter((each) => each.source === id).map((each) => `\`${each.method} ${each.path}\``);
    return `| \`${id}\` | ${cell(gap)} | ${cell(decision)} | ${cell(otherwise)} | ${used.join(', ')} |`;
  });
  return `# What the specification leaves open

Made from \`api/contract/assumptions.ts\`. Each gap of the service's specification has one decision; the sandbox
implements it, and the client also copes where the real service chose otherwise.

| id | gap | decision | when the real service differs | endpoints |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

test('docs/assumptions.md matches the code', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, document());
  assert.equal(readFileSync(file, 'utf8'), document());
});
