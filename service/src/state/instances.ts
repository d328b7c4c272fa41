/** The running instances of a service, so that one can send a caller's request to the one that has its result. */
import { hostname } from 'node:os';
import { newOwner } from '../tokens.ts';
import { aliveMs, written } from './migrate.ts';
import { optionalText, textOf, type StateDatabase } from './state-database.ts';

export interface Instance {
  /** Its name, for people. */
  readonly id: string;
  /** Random for each start of the process. */
  readonly boot: string;
  /** Where the other instances reach it; undefined if they cannot. */
  readonly address: string | undefined;
  /** The certificate that it shows there, as PEM. */
  readonly certificate: string | undefined;
  /** Digest of its configuration. */
  readonly configuration: string;
  /** Whose clients it serves. */
  readonly sources: readonly string[];
  readonly program: string;
}

/** Often enough that a missed turn does not make an instance seem gone. */
export const heartbeatMs = 5_000;

export async function announceInstance(state: StateDatabase, instance: Instance): Promise<void> {
  const { id, boot, address, certificate, configuration, sources, program } = instance;
  await state.write(async (run) => {
    await run('DELETE FROM state.instances WHERE seen_at < {now} - 86400000');
    await run(
      `INSERT INTO state.instances (id, boot, address, certificate, configuration, sources, program, seen_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, {now})
       ON CONFLICT (id) DO UPDATE SET seen_at = {now}`,
      [
        `${id}/${boot}`,
        boot,
        address ?? null,
        certificate ?? null,
        configuration,
        JSON.stringify(sources),
        program,
      ],
    );
  });
}

/** The version of the tables that this program writes. */
export const program = `${written.major}.${written.minor}`;

/** Announces a process that serves no other instance. Returns a function that withdraws it. */
export async function keepAnnounced(state: StateDatabase): Promise<() => Promise<void>> {
  const id = `${hostname()}-${process.pid}`;
  const self = {
    id,
    boot: newOwner(),
    address: undefined,
    certificate: undefined,
    configuration: 'serve',
    sources: [],
    program,
  };
  await announceInstance(state, self);
  // The state is away: the next turn does it.
  const timer = setInterval(
    () => void announceInstance(state, self).catch(() => undefined),
    heartbeatMs,
  ).unref();
  return async () => {
    clearInterval(timer);
    await removeInstance(state, self.boot).catch(() => undefined);
  };
}

export async function removeInstance(state: StateDatabase, boot: string): Promise<void> {
  await state.write((run) => run('DELETE FROM state.instances WHERE boot = $1', [boot]));
}

/** Returns the instances that were seen a moment ago. */
export async function liveInstances(state: StateDatabase): Promise<readonly Instance[]> {
  const rows = await state.read(
    `SELECT id, boot, address, certificate, configuration, sources, program FROM state.instances WHERE seen_at > {now} - ${aliveMs} ORDER BY id`,
  );
  return rows.map((row) => ({
    id: textOf(row, 'id').replace(/\/[^/]*$/, ''),
    boot: textOf(row, 'boot'),
    address: optionalText(row, 'address'),
    certificate: optionalText(row, 'certificate'),
    configuration: textOf(row, 'configuration'),
    sources: JSON.parse(textOf(row, 'sources')) as readonly string[], // this module wrote it
    program: textOf(row, 'program'),
  }));
}
