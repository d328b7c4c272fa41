/** Lists the exports requested from this machine over this connection, with their state. */
import { ageText } from '#base/words/age-text.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { lookAtExport, type ExportsOf } from '#core/exports/ask-export.ts';
import { partStateOf, type PartState } from '#core/exports/export-parts.ts';
import { ExportStore, type KnownExport } from '#core/exports/export-store.ts';
import { partWords } from '#core/exports/format-part.ts';
import type { CliContext } from '../context.ts';
import { memoryOf } from '../memory-of.ts';
import { write, writeJson } from '../output.ts';
import type { Service } from '../service.ts';
import { TextTable } from '../terminal/text-table.ts';

interface ListedExport {
  readonly known: KnownExport;
  readonly part: PartState | undefined;
}

/** Looks up the current state of unfinished exports on the service. */
export async function listExports(
  { environment, signal, stdout, stderr }: CliContext,
  { client, profile }: Service,
  isJson: boolean,
): Promise<void> {
  const store = new ExportStore(memoryOf({ environment, stderr }));
  const of: ExportsOf = { client, profile, store };
  const key = connectionKeyOf(profile);
  const listed: ListedExport[] = [];
  for (const before of await store.list()) {
    if (before.connectionKey !== key) continue;
    const known = before.status === 'accepted' ? await lookAtExport(of, before, signal) : before;
    listed.push({ known, part: await partStateOf(store, known) });
  }
  if (isJson) {
    await writeJson(stdout, { exports: listed.map(forMachines) });
    return;
  }
  const table = new TextTable(['context', 'format', 'asked for', 'state', 'file'].map((name) => ({ name })));
  const now = Date.now();
  await write(stdout, table.rows(listed.map((each) => forPeople(each, now))));
}

function forPeople({ known, part }: ListedExport, now: number): readonly string[] {
  const { context, fileFormat, createdAt, target, savedTo } = known;
  const file = part?.part.target ?? target ?? savedTo ?? '';
  return [context, fileFormat, ageText(createdAt, now, 'en'), stateOf({ known, part }), file];
}

function stateOf({ known, part }: ListedExport): string {
  if (part !== undefined) return `${partWords(part)} saved`;
  switch (known.status) {
    case 'accepted':
      return 'being prepared';
    case 'completed':
      return known.savedTo === undefined ? 'ready' : 'saved';
    case 'failed':
      return `failed: ${known.error?.message ?? 'the service does not say why'}`;
    default:
      return known.status; // a state that the specification does not list
  }
}

function forMachines({ known, part }: ListedExport): object {
  const { id, context, fileFormat, createdAt, status, error, savedTo, target } = known;
  const arrived = part && { file: part.part.target, bytes: part.bytes, totalBytes: part.part.totalBytes };
  const askedAt = new Date(createdAt).toISOString();
  return { id, context, fileFormat, askedAt, status, error, savedTo, target, part: arrived };
}
