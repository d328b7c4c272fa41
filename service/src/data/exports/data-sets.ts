/** Data sets for exports, generated line by line from the synthetic company. */
import type { DownloadContext } from '#api/contract/downloads.ts';
import type { World } from '../company/world.ts';
import { accessBundleSets } from './access-bundles.ts';
import { accessInventorySets } from './access-inventory.ts';
import { assessmentSets } from './assessments.ts';
import type { DataSet } from './data-set.ts';
import { externalAccessSets } from './external-access.ts';
import { csvLine } from './file-lines.ts';
import { identitySets } from './identities.ts';
import { lifecycleSets } from './lifecycle.ts';
import { referenceSets } from './reference.ts';
import { requestSets } from './requests.ts';
import { riskSets } from './risks.ts';
import { utilizationSets } from './utilization.ts';

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

/** Returns whether the data set has rows. For example, a small company may have no partners. */
export function hasData(world: World, context: string): boolean {
  const rows = dataSetOf(context)?.rows(world) ?? [];
  return rows[Symbol.iterator]().next().done !== true;
}

/**
 * Yields the file's lines, including line breaks. CSV follows RFC 4180, with a header. Structured fields are JSON text.
 */
export function* exportLines(
  world: World,
  context: string,
  format: string,
): Generator<string, void, undefined> {
  const dataSet = dataSetOf(context);
  if (dataSet === undefined) return;
  const { columns } = dataSet;
  if (format === 'csv') yield csvLine(columns);
  for (const row of dataSet.rows(world))
    yield format === 'csv'
      ? csvLine(columns.map((column): unknown => Reflect.get(row, column)))
      : `${JSON.stringify(row)}\n`;
}
