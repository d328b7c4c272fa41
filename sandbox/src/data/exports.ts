/** Data sets of exports, from the same company as everything else, and their files line by line. */
import type { DownloadContext } from '../../../api/contract/downloads.ts';
import { accessBundleSets } from './exports/access-bundles.ts';
import { accessInventorySets } from './exports/access-inventory.ts';
import { assessmentSets } from './exports/assessments.ts';
import type { DataSet } from './exports/data-set.ts';
import { externalAccessSets } from './exports/external-access.ts';
import { identitySets } from './exports/identities.ts';
import { lifecycleSets } from './exports/lifecycle.ts';
import { referenceSets } from './exports/reference.ts';
import { requestSets } from './exports/requests.ts';
import { riskSets } from './exports/risks.ts';
import { utilizationSets } from './exports/utilization.ts';
import type { World } from './world.ts';

const dataSets: Readonly<Record<DownloadContext, DataSet>> = {
  ...accessBundleSets,
  ...accessInventorySets,
  ...identitySets,
  ...utilizationSets,
  ...riskSets,
  ...assessmentSets,
  ...lifecycleSets,
  ...externalAccessSets,
  ...requestSets,
  ...referenceSets,
};

function dataSetOf(context: string): DataSet | undefined {
  return Object.entries(dataSets).find(([name]) => name === context)?.[1];
}

/** Whether there is anything to export: a small company may have no partners, say. */
export function hasData(world: World, context: string): boolean {
  const rows = dataSetOf(context)?.rows(world) ?? [];
  return rows[Symbol.iterator]().next().done !== true;
}

/** The lines of the file with their line breaks. CSV by RFC 4180, with a header; structured fields as JSON text. */
export function* exportLines(
  world: World,
  context: string,
  format: string,
): Generator<string, void, undefined> {
  const dataSet = dataSetOf(context);
  if (dataSet === undefined) return;
  const { columns } = dataSet;
  if (format === 'csv') yield `${columns.join(',')}\r\n`;
  for (const row of dataSet.rows(world))
    yield format === 'csv' ? csvLine(columns, row) : `${JSON.stringify(row)}\n`;
}

function csvLine(members: readonly string[], record: object): string {
  return `${members.map((member) => csvField(Reflect.get(record, member))).join(',')}\r\n`;
}

function csvField(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
