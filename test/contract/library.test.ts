/**
 * Identity Review Essentials on the sandbox: each control is proven read-only, finds its planted case, and ignores its
 * clean case.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { limits } from '#api/contract/limits.ts';
import { sharedAnalyser } from '#cli/checks.ts';
import { bindParameters } from '#cli/run/parameters.ts';
import { checkQuery } from '#cli/run/statement.ts';
import { readControl } from '#core/controls/control.ts';
import { controlText } from '#core/packs/control-text.ts';
import { parseManifest, writeManifest } from '#core/packs/pack-manifest.ts';
import { mayRun } from '#core/policy/may-run.ts';
import { permit, sendQuery } from '#core/policy/send-query.ts';
import { buildRequest } from '#core/runs/run-request.ts';
import { parseIndex } from '#core/sync/format/query-index.ts';
import { accessPlaces } from '#service/data/company/access-facts.ts';
import { roundCount, World } from '#service/data/company/world.ts';
import { plantedPairs } from '#service/data/planted/cases.ts';
import { caseName, type Case, type CaseKind } from '#service/data/planted/planted-case.ts';
import { enrollmentPlaces } from '#service/data/records/authenticators.ts';
import { defaults, startOfDay } from '#service/options.ts';
import { columnsRead } from '../helpers/pack-columns.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

const pack = path.resolve(import.meta.dirname, '../../library/identity-review-essentials');
const folder = path.join(pack, 'queries');
const day = startOfDay(Date.now());
const world = new World({ seed: defaults.seed, accounts: defaults.accounts, now: day });

interface Control {
  readonly id: string;
  readonly key: string;
  readonly text: string;
}

const controls = new Map(
  globSync('**/*.identity.sql', { cwd: folder }).map((file): [string, Control] => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const id = /^-- @control (\S+) /m.exec(text)?.[1] ?? file;
    return [id, { id, key: /^-- @key (\S+)$/m.exec(text)?.[1] ?? '', text }];
  }),
);

let sandbox: RunningSandbox;
let client: ServiceClient;
const analyser = sharedAnalyser();

before(async () => {
  sandbox = await startSandbox({ faults: false, now: new Date(day).toISOString().slice(0, 10) });
  client = createClient(sandbox);
});
after(async () => {
  await client.close();
  await sandbox.stop();
});

const answers = new Map<string, Promise<ReadonlySet<string>>>();

/**
 * Returns the keys of the rows that a control finds with its defaults. The query is sent only if it is proven
 * read-only.
 */
function keysFound(control: Control): Promise<ReadonlySet<string>> {
  const known = answers.get(control.id) ?? findKeys(control);
  answers.set(control.id, known);
  return known;
}

async function findKeys({ id, key, text }: Control): Promise<ReadonlySet<string>> {
  const { statement, model } = await checkQuery({ text, title: id }, undefined);
  const permission = mayRun(statement, {
    isProofRequired: true,
    isKnownToRun: false,
    isAccepted: () => false,
  });
  assert.deepEqual(permission, { kind: 'go', isProven: true }, 'it is proven to only read');
  const bound = bindParameters(statement, text, { entries: [], nulls: [], now: new Date() });
  const { request } = buildRequest(statement, { ...bound, sentAs: 'parameters' });
  const page = await sendQuery(client, permit(permission, 'not-asked'), {
    ...request,
    model,
    pageSize: limits.executePageSizeMax,
  });
  assert.equal(page.nextPageToken, undefined, 'one page holds all rows');
  const at = page.columns.findIndex(({ name }) => name === key);
  assert.ok(at >= 0, `the key ${key} is a column`);
  const keys = page.rows.map((row) => {
    const value = row[at];
    assert.ok(typeof value === 'string', 'no key is NULL');
    return value;
  });
  assert.equal(new Set(keys).size, keys.length, 'each row has its own key');
  return new Set(keys);
}

/** Returns every key that a control might report for the case. */
function keysOf(name: string, is: Case): ReadonlySet<string> {
  const { kind, index } = world.planted.placeOf(name, is);
  if (kind === 'role') return new Set([world.ids.of('role', index)]);
  const account = world.account(index);
  return new Set([
    world.ids.of('account', index),
    ...Array.from({ length: accessPlaces }, (_, place) =>
      world.ids.of('access', index * accessPlaces + place),
    ),
    ...Array.from({ length: roundCount }, (_, round) =>
      world.ids.of('activity', world.activityIndex(index, round)),
    ),
    ...(kind === 'person'
      ? Array.from({ length: enrollmentPlaces }, (_, place) =>
          world.ids.of('enrollment', index * enrollmentPlaces + place),
        )
      : []),
    ...(account.planted?.is.ownInstance === undefined
      ? []
      : [world.ids.of('planted-instance', account.planted.is.ownInstance)]),
  ]);
}

async function isFound(control: string, kind: CaseKind, is: Case): Promise<boolean> {
  const found = controls.get(control);
  assert.ok(found !== undefined, `the library has ${control}`);
  return !keysOf(caseName(control, kind), is).isDisjointFrom(await keysFound(found));
}

const update = process.env['UPDATE_LIBRARY'] !== undefined;

suite('Identity Review Essentials', () => {
  test('lists every file, and the columns that it reads (UPDATE_LIBRARY=1 writes it)', async () => {
    const index = parseIndex(readFileSync(path.join(folder, 'saved-queries.json'), 'utf8'));
    assert.ok('entries' in index, JSON.stringify(index));
    const files = globSync('**/*.identity.sql', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));
    assert.deepEqual(index.entries.map(({ file }) => file).sort(), files.sort());
    const file = path.join(pack, 'pack.json');
    const parsed = parseManifest(readFileSync(file, 'utf8'));
    assert.ok('manifest' in parsed, JSON.stringify(parsed));
    const requires = await columnsRead({ client, analyser, folder, entries: index.entries });
    if (update) writeFileSync(file, writeManifest({ ...parsed.manifest, requires }));
    else assert.deepEqual(parsed.manifest.requires, requires);
  });

  test('has a planted and a clean case for each of its controls, of which there are at least 40', () => {
    assert.ok(controls.size >= 40);
    assert.deepEqual(plantedPairs.map(({ control }) => control).sort(), [...controls.keys()].sort());
  });

  test('explains what each control finds, why it matters and what to do, with tags of both standards', () => {
    for (const { id, key, text } of controls.values()) {
      const control = readControl(text);
      assert.deepEqual(control?.problems, [], id);
      assert.deepEqual(control.key, [key], id);
      assert.ok(
        control.parameters.every(({ defaultText }) => defaultText !== undefined),
        id,
      );
      const said = controlText(text);
      assert.ok(said !== undefined);
      for (const part of [said.title, said.finds, said.why, said.advice]) assert.ok(part.length > 10, id);
      assert.ok(
        said.tags.some((tag) => tag.startsWith('soc2=')) &&
          said.tags.some((tag) => tag.startsWith('iso27001=A.')),
        id,
      );
    }
  });

  for (const { control, planted, clean } of plantedPairs) {
    test(`${control} is proven read-only and finds its planted case`, async () => {
      assert.equal(await isFound(control, 'planted', planted), true);
    });

    test(`${control} leaves its clean case alone`, async () => {
      assert.equal(await isFound(control, 'clean', clean), false);
    });
  }
});
