/** Data sets of exports, from the same records as everything else, and their files line by line. */
import type { DownloadContext } from '../../../api/contract/downloads.ts';
import type { TObject } from 'typebox';
import { collections, type Collection } from './collections.ts';
import type { World } from './world.ts';

interface DataSet {
  readonly collection: Collection;
  /** Which records belong to it; all when absent. */
  readonly filter?: (record: object) => boolean;
}

const has =
  (member: string, value: unknown) =>
  (record: object): boolean =>
    Reflect.get(record, member) === value;

const isOfDirectory = (record: object): boolean => {
  const metadata: unknown = Reflect.get(record, 'objectMetadata');
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    Reflect.get(metadata, 'Profile') === 'DirectoryAccount'
  );
};

const { accounts, roles, access, activities } = collections;
const people: DataSet = { collection: accounts, filter: isOfDirectory };

const dataSets: Partial<Record<DownloadContext, DataSet>> = {
  accessInventoryAccounts: { collection: accounts },
  accessInventoryApplicationAccountsV2: { collection: accounts },
  accessInventoryEmployeesV2: people,
  accessInventoryIdentitiesV2: people,
  accessInventoryNhiV2: { collection: accounts, filter: has('type', 'Service') },
  accessInventoryRolesV2: { collection: roles },
  accessReviewsReviewItems: { collection: access, filter: has('entityType', 'Account') },
  accountUtilization: { collection: accounts },
  activityAnalysis: { collection: activities },
  applicationAccounts: { collection: accounts },
  employeeAccessInsights: { collection: access, filter: has('entityType', 'Account') },
  employees: people,
  externalAccessUsers: { collection: accounts, filter: has('subType', 'External') },
  groupUtilizationAccounts: { collection: access, filter: has('assignedObjectType', 'UserGroup') },
  identities: people,
  identityAssessmentEntitlementUtilization: { collection: access },
  platformUsers: people,
};

function dataSetOf(context: string): DataSet | undefined {
  return Object.entries(dataSets).find(([name]) => name === context)?.[1];
}

export function hasData(context: string): boolean {
  return dataSetOf(context) !== undefined;
}

/** The lines of the file with their line breaks. CSV by RFC 4180, with a header; structured fields as JSON text. */
export function* exportLines(
  world: World,
  context: string,
  format: string,
): Generator<string, void, undefined> {
  const dataSet = dataSetOf(context);
  if (dataSet === undefined) return;
  const members = Object.keys((dataSet.collection.schema satisfies TObject).properties);
  if (format === 'csv') yield `${members.join(',')}\r\n`;
  const places = dataSet.collection.places(world);
  for (let place = 0; place < places; place += 1) {
    const record = dataSet.collection.record(world, place);
    if (record === undefined || dataSet.filter?.(record) === false) continue;
    yield format === 'csv' ? csvLine(members, record) : `${JSON.stringify(record)}\n`;
  }
}

function csvLine(members: readonly string[], record: object): string {
  return `${members.map((member) => csvField(Reflect.get(record, member))).join(',')}\r\n`;
}

function csvField(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
