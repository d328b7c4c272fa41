/** A team's service over the sample data: two instances behind a balancer, in place of a sandbox in its tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endpoints } from '#api/contract/endpoints.ts';
import { collections } from '#service/data/collections.ts';
import { columnsOf } from '#service/data/tables/columns.ts';
import { sampleQueries } from '#service/store/sample-queries.ts';
import { addressOf, readerPassword, readerSql, runOwnService } from './own-database.ts';
import { freePort, type PostgresServer } from './postgres.ts';
import { startSandboxItself, type RunningSandbox, type StartSandboxOptions } from './sandbox.ts';
import { clientsCommand, httpOf, startBalancer, startInstance, type TeamInstance } from './team-service.ts';

const keeperPassword = 'st:ate@';
const env = { IDENTITY_QUERIES_STATE_PASSWORD: keeperPassword };

export interface TeamOverSample extends Omit<RunningSandbox, 'process'> {
  readonly instances: TeamInstance[];
  /** Kills an instance and starts it again. */
  replace(index: 0 | 1): Promise<void>;
}

/** Must run once for a server before `startTeamOverSample`. */
export async function makeKeeper(server: PostgresServer): Promise<void> {
  await server.sql(`CREATE ROLE keeper LOGIN PASSWORD '${keeperPassword}'`);
}

export async function startTeamOverSample(
  server: PostgresServer,
  { accounts = 100, now, queryTimeoutSeconds, rowLimit }: StartSandboxOptions,
): Promise<TeamOverSample> {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-'));
  const databaseOf = (url: string): string => new URL(url).pathname.slice(1);
  const [data, kept] = [await server.createDatabase(), databaseOf(await server.createDatabase())];
  await server.sql(`ALTER DATABASE ${kept} OWNER TO keeper`);
  const state = addressOf(server, kept, 'keeper');
  const load = async (): Promise<void> => {
    const sandbox = await startSandboxItself({ accounts, now, database: data });
    const { status } = await httpOf(sandbox.baseUrl, sandbox.clientId, sandbox.clientSecret).call(
      endpoints.executeQuery,
      { body: { query_string: 'SELECT 1' } },
    );
    if (status !== 200) throw new Error(`The sample data was not loaded: ${status}`);
    await sandbox.stop();
    await server.sql(readerSql('platform_identity', 'platform_governance'), databaseOf(data));
  };
  const prepareState = async (): Promise<string> => {
    const { code, complaints } = await runOwnService(['migrate', '--state', state], { env });
    if (code !== 0) throw new Error(complaints);
    return await clientsCommand(state, env, 'add', 'team', '--source', 'sample', '--scopes', 'read,write');
  };
  const [, clientSecret] = await Promise.all([load(), prepareState()]);
  writeFileSync(path.join(folder, 'reader'), `${readerPassword}\n`, { mode: 0o600 });
  writeFileSync(path.join(folder, 'keeper'), `${keeperPassword}\n`, { mode: 0o600 });
  writeFileSync(path.join(folder, 'mapping.yaml'), JSON.stringify(mappingOfSample));

  const instances: TeamInstance[] = [];
  // The instances print the balancer's address.
  const ports = [await freePort(), await freePort()] as const;
  const balancer = await startBalancer(() => ports);
  const start = async (index: 0 | 1): Promise<TeamInstance> => {
    const port = ports[index];
    return await startInstance(folder, `instance${index}`, {
      listen: `127.0.0.1:${port}`,
      'public-url': balancer.baseUrl,
      instance: { name: `instance${index}`, address: `http://127.0.0.1:${port}` },
      state: { address: state, 'password-file': 'keeper' },
      sources: {
        sample: {
          database: addressOf(server, databaseOf(data)),
          'password-file': 'reader',
          schemas: ['platform_governance'],
          mapping: 'mapping.yaml',
          ...(queryTimeoutSeconds === undefined ? {} : { 'query-seconds': queryTimeoutSeconds }),
          ...(rowLimit === undefined ? {} : { rows: rowLimit }),
        },
      },
    });
  };
  instances.push(...(await Promise.all([start(0), start(1)])));
  const http = httpOf(balancer.baseUrl, 'team', clientSecret);
  for (const body of sampleQueries) await http.call(endpoints.createSavedQuery, { body });
  await balancer.forgetRequests();
  const { baseUrl } = balancer;
  return {
    ...balancer,
    authUrl: `${baseUrl}/oauth/token`,
    clientId: 'team',
    clientSecret,
    timeoutMs: 120_000,
    instances,
    async replace(index) {
      await instances[index]?.kill();
      instances[index] = await start(index);
    },
    async stop() {
      await balancer.close();
      await Promise.all(instances.map((each) => each.kill()));
      rmSync(folder, { recursive: true });
    },
  };
}

/** Every collection is the table that the sandbox made of it. */
const mappingOfSample = {
  collections: Object.fromEntries(
    Object.values(collections).map(({ table, schema }) => [
      table,
      {
        select: `SELECT * FROM platform_identity.${table}`,
        fields: Object.fromEntries(columnsOf(schema).map(({ name }) => [name, name])),
      },
    ]),
  ),
  exports: {
    employees: 'SELECT * FROM person_is_employee',
    accessInventoryAccounts: 'SELECT * FROM entity_assigned_access_to_object',
  },
};
