/**
 * Every finding as the user sees it: message, position, and the text after its quick fix. Expected results are in
 * test/golden/findings; UPDATE_GOLDEN=1 updates them for manual review.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { defaultSeverities, type FindingCode } from '#base/finding-severities.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { applyEdits } from '#server/language/text/edits.ts';
import { LineIndex } from '#server/language/text/lines.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { goldenCases } from './golden-cases.ts';
import { goldenCatalogue as catalogue } from './golden-catalogue.ts';

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: {
        readonly 'identityQueries.severities'?: {
          readonly properties: Readonly<Record<string, { readonly default: string }>>;
        };
      };
    }[];
  };
}

const directory = path.join(import.meta.dirname, '../../../../golden/findings');
const isUpdate = process.env.UPDATE_GOLDEN === '1';
const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

async function show(text: string, isSavedQuery: boolean, isKnown: boolean): Promise<string> {
  const analysis = await analyser.analyse(text, { isSavedQuery, ...(isKnown ? { catalogue } : {}) });
  const lines = new LineIndex(text);
  const at = (offset: number): string => {
    const { line, character } = lines.positionAt(offset);
    return `${line + 1}:${character + 1}`;
  };
  const found: string[] = [];
  for (const { code, severity, message, start, end, fix: certain, unprovenFix } of analysis?.findings ?? []) {
    const isProven = unprovenFix !== undefined && (await analyser.isMendedBy(text, unprovenFix.edits));
    const fix = isProven ? unprovenFix : certain;
    found.push(
      [
        `  ${code} ${severity} ${at(start)}-${at(end)} «${shorten(text.slice(start, end))}»`,
        `    ${message}`,
        ...(fix === undefined ? [] : [`    fix: ${fix.title}`, ...indent(applyEdits(text, fix.edits))]),
      ].join('\n'),
    );
  }
  return [...shorten(text).split('\n'), ...(found.length === 0 ? ['  nothing'] : found)].join('\n');
}

const indent = (text: string): readonly string[] => text.split('\n').map((line) => `      ${line}`);
const shorten = (text: string): string =>
  text.length > 400 ? `${text.slice(0, 60)}… (${text.length})` : text;

describe('the findings', () => {
  for (const [code, cases] of Object.entries(goldenCases)) {
    it(code, async () => {
      const shown: string[] = [];
      let isReported = false;
      for (const each of cases) {
        const {
          text,
          isSavedQuery = false,
          isKnown = false,
        } = typeof each === 'string' ? { text: each } : each;
        const result = await show(text, isSavedQuery, isKnown);
        isReported ||= result.includes(`\n  ${code} `);
        shown.push(result);
      }
      const actual = `${shown.join('\n\n')}\n`;
      const file = path.join(directory, `${code}.txt`);
      if (isUpdate) {
        await mkdir(directory, { recursive: true });
        await writeFile(file, actual);
      }
      assert.equal(actual, await readFile(file, 'utf8'));
      assert.ok(isReported, `no case reports ${code}`);
    });
  }

  it('have cases for every code, and no other files', async () => {
    const codes = Object.keys(defaultSeverities) as FindingCode[]; // the table's own keys
    assert.deepEqual(Object.keys(goldenCases).toSorted(), codes.toSorted());
    const files = await readdir(directory);
    assert.deepEqual(files.toSorted(), codes.map((code) => `${code}.txt`).toSorted());
  });

  it('have a setting for each code, with its default', async () => {
    const manifest = JSON.parse(
      await readFile(path.join(import.meta.dirname, '../../../../../package.json'), 'utf8'),
    ) as Manifest; // the manifest's own test checks this shape
    const setting = manifest.contributes.configuration
      .map((topic) => topic.properties['identityQueries.severities'])
      .find((each) => each !== undefined);
    const { properties } = setting ?? assert.fail('no setting');
    assert.deepEqual(
      Object.fromEntries(Object.entries(properties).map(([code, property]) => [code, property.default])),
      defaultSeverities,
    );
  });

  it('are explained, with a section for each code', async () => {
    const page = await readFile(path.join(import.meta.dirname, '../../../../../docs/diagnostics.md'), 'utf8');
    for (const [code, severity] of Object.entries(defaultSeverities)) {
      assert.match(page, new RegExp(`^## ${code}\n\n_Default: ${severity}\\._`, 'm'), code);
    }
  });
});
