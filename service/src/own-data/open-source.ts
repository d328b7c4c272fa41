/** Opens a source: a database that is served, with what the service knows of it and the engine that runs its queries. */
import type { ModelTable } from '#api/contract/model-tables.ts';
import { identityModel } from '#api/contract/tables.ts';
import type { PoolLimits } from '../postgres/run-pool.ts';
import { asServiceError, CurrentDatabase } from './current-database.ts';
import { OwnDatabaseError, UntrustedLoginError, type OwnDatabase, type Told } from './database.ts';
import { OwnEngine } from './engine.ts';
import type { ChosenSource } from './identity/choose-source.ts';
import { lookAtDatabase, type Served, type ServeRules } from './served.ts';
import { describeDatabase, type DatabaseFacts } from './server-route.ts';
import { readTables } from './tables.ts';

export interface SourceSettings extends Omit<PoolLimits, 'byteLimit'> {
  readonly database: OwnDatabase;
  readonly rules: ServeRules;
  readonly classes: ChosenSource['classes'];
  /** Folder for results that do not fit in memory. */
  readonly spoolFolder: string;
  readonly timeZone: string;
  /** By default all that the operator is told, who is the only caller. */
  readonly told?: Told;
}

export interface Source {
  readonly engine: OwnEngine;
  readonly current: CurrentDatabase;
  readonly tables: (model: string) => Promise<readonly ModelTable[]>;
  /** Reads what the database says of itself. */
  readonly describe: () => Promise<DatabaseFacts>;
}

/** Rows beyond this many bytes end a run. */
const byteLimit = 1_024 * 1024 * 1024;

/** @throws OwnDatabaseError if the database cannot be served. */
export async function openSource({
  database,
  rules,
  classes,
  told = ({ message }) => message,
  ...settings
}: SourceSettings): Promise<Source> {
  const inspect: OwnDatabase['inspect'] = async (task) => {
    try {
      return await database.inspect(task);
    } catch (error) {
      throw asServiceError(error, told);
    }
  };
  const look = async (before?: Served): Promise<Served> => {
    try {
      const last = before && { identity: before.identity, told };
      const served = await lookAtDatabase(database, { ...rules, classes }, last);
      opened.engine?.looked(undefined);
      return served;
    } catch (error) {
      if (error instanceof UntrustedLoginError) opened.engine?.looked(error.message);
      throw error;
    }
  };
  const opened: { engine?: OwnEngine } = {};
  const current = new CurrentDatabase(look, await look(), told);
  await requireTimeZone(database, settings.timeZone);
  const engine = new OwnEngine({
    ...settings,
    database,
    told,
    served: () => current.served(),
    allowsWritesByRole: rules.allowsWritesByRole,
    onChangedSchema: () => void current.refresh().catch(() => undefined),
    byteLimit,
  });
  opened.engine = engine;
  return {
    engine,
    current,
    tables: async (model) => {
      const { identity } = current.served();
      if (identity !== undefined && model === identityModel) return identity.tables;
      return await inspect((rows) => readTables(rows, model, classes));
    },
    describe: () => inspect((rows) => describeDatabase(rows, current.served(), settings.timeZone)),
  };
}

/** @throws OwnDatabaseError if the server does not know the zone, which would fail every query. */
async function requireTimeZone(database: OwnDatabase, zone: string): Promise<void> {
  const isKnown = await database.inspect(async (rows) => {
    try {
      await rows("SELECT set_config('TimeZone', $1, true)", [zone]);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '22023') return false;
      throw error;
    }
  });
  if (isKnown) return;
  throw new OwnDatabaseError(
    `The database ${database.target.shown} knows no time zone "${zone.slice(0, 80)}". Use a name such as UTC or Europe/Berlin.`,
  );
}
