/** Knows the person's own databases, starts and stops the services over them, and keeps the readers' passwords. */
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import { parseTarget, type Target } from '#base/postgres-address.ts';
import { splitNames } from '#base/sql-names.ts';
import { isText, oneOf, optional, shapeOf } from '#base/values/shapes.ts';
import { commands } from '#client/contributions.ts';
import { runService } from '#client/session/local-service/service-process.ts';
import { SharedService } from '#client/session/local-service/shared-service.ts';
import { promptSteps, type StepProblem } from '#client/ui/prompt-steps.ts';
import { mayDestroy, showInformationMessage } from '#client/ui/shown/notifications.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { OwnDataDependencies } from './dependencies.ts';
import type { RoleToMake } from './reading-role.ts';
import { didNotStart, PasswordRefused, tooSlow } from './start-failures.ts';
import { forgetTold } from './told-notes.ts';

/** A database that was connected to before; contains no secret. */
interface KnownDatabase {
  /** The address without its password. */
  readonly address: string;
  /** Names separated by commas; empty for all that the role may read. */
  readonly schemas: string;
  /** Name of a preset; empty or missing for none. */
  readonly preset?: string;
}

interface Running {
  readonly known: KnownDatabase;
  readonly service: SharedService;
  profile: ConnectionProfile | undefined;
}

const rolesPreset = 'postgresql';
const noPreset = 'none';
/** The step of a new connection that asks for the password. */
const passwordStep = 3;

function isSame(one: KnownDatabase, other: KnownDatabase): boolean {
  return (
    one.address === other.address &&
    sortedNames(one.schemas) === sortedNames(other.schemas) &&
    (one.preset ?? '') === (other.preset ?? '')
  );
}

const sortedNames = (schemas: string): string => JSON.stringify([...splitNames(schemas)].sort());

const storedUnder = 'identityQueries.ownDatabases';
const mostKnown = 20;

export class OwnDatabases implements DisposableLike {
  readonly #deps: OwnDataDependencies;
  readonly #onChange: (profiles: readonly ConnectionProfile[]) => void;
  readonly #disposables = new DisposableStore();
  readonly #running = new Map<string, Running>();
  /** What was entered last and did not work, without the password. */
  #entered: string[] = [];

  /** @param onChange called with the connections whose services this window uses */
  constructor(deps: OwnDataDependencies, onChange: (profiles: readonly ConnectionProfile[]) => void) {
    this.#deps = deps;
    this.#onChange = onChange;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async connect(): Promise<ConnectionProfile | undefined> {
    const known = this.#known();
    const chosen = known.length === 0 ? 'other' : await this.#pick(known, true);
    if (chosen === undefined) return undefined;
    if (chosen === 'other') return await this.#connectNew();
    try {
      return await this.#start(chosen);
    } catch (error) {
      if (!(error instanceof PasswordRefused)) throw error;
      this.#entered = [chosen.address, chosen.schemas, chosen.preset || noPreset, ''];
      return await this.#connectNew({ key: keyOf(targetOf(chosen)), message: error.message });
    }
  }

  async start(key: string): Promise<ConnectionProfile | undefined> {
    const known = this.#known().find((each) => keyOf(targetOf(each)) === key);
    return known === undefined ? undefined : await this.#start(known);
  }

  async stop(): Promise<void> {
    const { state } = this.#deps.session;
    const current = state.kind === 'disconnected' ? undefined : state.profile.localKey;
    const [key, running] =
      [...this.#running].find(([each]) => each === current) ??
      [...this.#running].find(([, each]) => each.profile !== undefined) ??
      [];
    if (key === undefined || running === undefined) return;
    running.profile = undefined;
    this.#tell();
    if (key === current) await this.#deps.session.disconnect();
    await running.service.stop();
  }

  async forget(): Promise<void> {
    const known = this.#known();
    if (known.length === 0) throw new ExpectedError(vscode.l10n.t('No database of yours is known here.'));
    const chosen = await this.#pick(known, false);
    if (chosen === undefined || chosen === 'other') return;
    const target = targetOf(chosen);
    const isSure = await mayDestroy(vscode.l10n.t('Forget {0}?', target.shown), {
      detail: vscode.l10n.t(
        'The queries saved for it on this machine and the password are deleted. The database stays as it is.',
      ),
      keep: vscode.l10n.t('Keep'),
      destroy: vscode.l10n.t('Forget'),
    });
    if (!isSure) return;
    const key = keyOf(target);
    const running = this.#running.get(key);
    const { session, context } = this.#deps;
    if (session.state.kind !== 'disconnected' && session.state.profile.localKey === key)
      await session.disconnect();
    // Other windows may use a service that this one does not.
    await (running?.service ?? this.#serviceOver(chosen, target, '')).stop();
    this.#running.delete(key);
    this.#tell();
    await context.secrets.delete(secretKeyOf(target));
    await rm(this.#folderOf(target), { recursive: true, force: true });
    await context.globalState.update(
      storedUnder,
      known.filter((each) => each !== chosen),
    );
    await forgetTold(context.globalState, key);
  }

  /** Shows the SQL of a reading role, and makes the role if the user wants that. @throws ExpectedError */
  async makeReadingRole(): Promise<void> {
    const { makeReadingRole } = await import('./reading-role.ts');
    const [address = '', schemas = ''] = this.#entered;
    const made = await makeReadingRole(async (role) => await this.#runRoleSql(role), { address, schemas });
    if (made === undefined) return;
    const known: KnownDatabase = { address: made.address, schemas: made.schemas, preset: rolesPreset };
    const target = targetOf(known);
    await this.#deps.context.secrets.store(secretKeyOf(target), made.password);
    await this.#remember(known);
    const connect = vscode.l10n.t('Connect');
    const chosen = await showInformationMessage(
      vscode.l10n.t('The role was made: {0}. Its password is in the secret storage.', target.shown),
      connect,
    );
    if (chosen === connect) await vscode.commands.executeCommand(commands.ownDataConnect, keyOf(target));
  }

  /** Runs the SQL as the owner, once, and returns the password of the new role. */
  async #runRoleSql({ owner, ownerPassword, role, schemas }: RoleToMake): Promise<string> {
    return await withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Making the role...') },
      () =>
        runService({
          script: this.#script,
          args: [
            'serve',
            'init',
            '--run',
            '--database',
            owner,
            '--schemas',
            schemas,
            '--role',
            role,
            '--password-stdin',
          ],
          input: `${ownerPassword}\n`,
          words: { tooSlow: tooSlow(targetOf({ address: owner })) },
        }),
    );
  }

  get #script(): string {
    return vscode.Uri.joinPath(this.#deps.context.extensionUri, 'dist', 'sandbox', 'main.js').fsPath;
  }

  async #remember(known: KnownDatabase): Promise<void> {
    const key = keyOf(targetOf(known));
    const others = this.#known().filter((each) => keyOf(targetOf(each)) !== key);
    await this.#deps.context.globalState.update(storedUnder, [known, ...others].slice(0, mostKnown));
  }

  /** @param refused the database among what was entered last whose kept password, or that of its file, was refused */
  async #connectNew(refused?: {
    readonly key: string;
    readonly message: string;
  }): Promise<ConnectionProfile | undefined> {
    let answers = this.#entered;
    let problem: StepProblem | undefined = refused && { step: passwordStep, message: refused.message };
    let refusedKey = refused?.key;
    const hint = isRemote()
      ? vscode.l10n.t(
          'Address of the database, seen from this machine ({0}): localhost is {0}. The role should only be able to read.',
          hostname(),
        )
      : vscode.l10n.t('Address of the database. The role should only be able to read.');
    for (;;) {
      const given = await promptSteps(
        vscode.l10n.t('Connect to Your PostgreSQL'),
        [
          {
            prompt: hint,
            placeholder: 'postgres://reader@localhost:5432/database',
            validate: (value) => {
              const parsed = parseTarget(value);
              return parsed.kind === 'problem' ? parsed.problem : undefined;
            },
          },
          {
            prompt: vscode.l10n.t(
              'Schemas to read, separated by commas. Leave empty for all that the role may read.',
            ),
            placeholder: 'public, hr',
            validate: () => undefined,
          },
          {
            prompt: vscode.l10n.t('What should be a model?'),
            choices: [
              {
                value: rolesPreset,
                label: vscode.l10n.t('Tables, and the roles of the server'),
                description: vscode.l10n.t('who may do what, with the library PostgreSQL Roles'),
                icon: 'organization',
              },
              { value: noPreset, label: vscode.l10n.t('Tables only'), icon: 'table' },
            ],
          },
          {
            prompt: vscode.l10n.t(
              'Password, kept in the secret storage of this editor. Leave empty if it is kept there already or in your password file (PGPASSFILE), or if none is needed.',
            ),
            password: true,
            validate: () => undefined,
            skip: ([address = '']) => passwordIn(address) !== undefined,
          },
        ],
        { answers, problem },
      );
      if (given === undefined) return undefined;
      answers = given;
      const [address = '', schemas = '', preset = '', password = ''] = given;
      const parsed = parseTarget(address);
      if (parsed.kind === 'problem') {
        problem = { step: 0, message: parsed.problem };
        continue;
      }
      const { target } = parsed;
      const known = {
        address: parsed.address,
        schemas: schemas.trim(),
        preset: preset === rolesPreset ? preset : '',
      };
      this.#entered = [parsed.address, schemas, preset, ''];
      const secret = parsed.password ?? password;
      const key = keyOf(target);
      const before = this.#running.get(key)?.service;
      let profile: ConnectionProfile;
      try {
        // A kept password that was refused is not tried again, so that the one in the password file is.
        profile = await this.#start(known, secret === '' && key !== refusedKey ? undefined : secret);
      } catch (error) {
        if (!(error instanceof PasswordRefused)) throw error;
        answers = this.#entered;
        problem = { step: passwordStep, message: error.message };
        if (secret === '') refusedKey = key;
        continue;
      }
      const service = this.#running.get(key)?.service;
      // A service that ran before was started with another password, which is kept already.
      const isTried = service !== before && service?.isStartedHere === true;
      const { secrets } = this.#deps.context;
      if (isTried && secret !== '') await secrets.store(secretKeyOf(target), secret);
      else if (isTried && key === refusedKey) await secrets.delete(secretKeyOf(target));
      this.#entered = [];
      await this.#remember(known);
      return profile;
    }
  }

  /** @param password by default, the kept one. @throws ExpectedError */
  async #start(known: KnownDatabase, password?: string): Promise<ConnectionProfile> {
    const target = targetOf(known);
    const key = keyOf(target);
    const secret = password ?? (await this.#deps.context.secrets.get(secretKeyOf(target))) ?? '';
    const before = this.#running.get(key);
    const isRunning = before?.service.address !== undefined;
    if (isRunning && isSame(before.known, known)) return await this.#use(before, target);
    // The service reads what it was started with.
    await before?.service.stop();
    const service = this.#serviceOver(known, target, secret);
    try {
      return await this.#use({ known, service, profile: undefined }, target);
    } catch (error) {
      if (isRunning) await this.#useAgain(before, target);
      throw error;
    }
  }

  /** What was chosen anew does not work, so what worked goes on. */
  async #useAgain(before: Running, target: Target): Promise<void> {
    const { session, log } = this.#deps;
    try {
      const profile = await this.#use(before, target);
      if (session.state.kind !== 'disconnected' && session.state.profile.localKey === profile.localKey)
        await session.connect(profile);
    } catch (error) {
      log.warn(`the service over an own database did not start again: ${errorName(error)}`);
    }
  }

  async #use(running: Running, target: Target): Promise<ConnectionProfile> {
    const key = keyOf(target);
    const { secrets, log } = this.#deps;
    const address = await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Connecting to {0}...', target.shown),
      },
      () => running.service.start(),
    );
    this.#running.set(key, running);
    const profile: ConnectionProfile = {
      name: target.shown,
      baseUrl: address.baseUrl,
      authUrl: address.authUrl,
      clientId: address.clientId,
      protected: false,
      allowChanges: false,
      allowPlainHttp: false,
      source: 'local',
      localKey: key,
    };
    secrets.provide(profile, running.service.secret);
    running.profile = profile;
    this.#tell();
    log.info(`the service over an own database answers at ${address.baseUrl}`);
    return profile;
  }

  #serviceOver(known: KnownDatabase, target: Target, password: string): SharedService {
    const folder = this.#folderOf(target);
    const key = keyOf(target);
    const service = this.#disposables.add(
      new SharedService({
        folder,
        program: (leases) => ({
          script: this.#script,
          args: [
            'serve',
            '--json',
            '--port',
            '0',
            '--database',
            known.address,
            ...(known.schemas === '' ? [] : ['--schemas', known.schemas]),
            ...((known.preset ?? '') === '' ? [] : ['--preset', known.preset ?? '']),
            '--state',
            folder,
            '--leases',
            leases,
            '--password-stdin',
          ],
          input: `${password}\n`,
          words: {
            didNotStart,
            tooSlow: tooSlow(target),
            inOtherWindow: vscode.l10n.t(
              'The service over {0} runs in another window and cannot be reached from this one. Stop it there, then try again.',
              target.shown,
            ),
          },
        }),
        assertWanted: ({ schemas = '', preset = '' }) => {
          if (!isSame(known, { address: known.address, schemas, preset }))
            throw otherChoices(target, schemas, preset);
        },
        onEnd: ({ isExpected }) => {
          const running = this.#running.get(key);
          if (running?.service !== service) return;
          running.profile = undefined;
          this.#tell();
          this.#deps.log.warn(`the service over an own database ended${isExpected ? ', as asked' : ''}`);
          const { state } = this.#deps.session;
          if (state.kind !== 'disconnected' && state.profile.localKey === key)
            void this.#deps.session.disconnect();
        },
      }),
    );
    return service;
  }

  #folderOf(target: Target): string {
    return vscode.Uri.joinPath(this.#deps.context.globalStorageUri, 'own-data', target.digest.slice(0, 32))
      .fsPath;
  }

  #tell(): void {
    this.#onChange(
      [...this.#running.values()].map(({ profile }) => profile).filter((profile) => profile !== undefined),
    );
  }

  #known(): readonly KnownDatabase[] {
    const value = this.#deps.context.globalState.get<unknown>(storedUnder);
    return Array.isArray(value) ? value.filter(isKnown) : [];
  }

  async #pick(
    known: readonly KnownDatabase[],
    withOther: boolean,
  ): Promise<KnownDatabase | 'other' | undefined> {
    const rows = [
      ...known.map((each) => ({
        label: targetOf(each).shown,
        description: each.schemas,
        iconPath: new vscode.ThemeIcon('database'),
        chosen: each as KnownDatabase | 'other',
      })),
      ...(withOther
        ? [
            {
              label: vscode.l10n.t('Another Database...'),
              description: '',
              iconPath: new vscode.ThemeIcon('add'),
              chosen: 'other' as const,
            },
          ]
        : []),
    ];
    const picked = await showQuickPick(rows, { title: vscode.l10n.t('Your PostgreSQL') });
    return picked?.chosen;
  }
}

const isKnown = shapeOf<KnownDatabase>({
  address: (value) => isText(value) && parseTarget(value).kind === 'target',
  schemas: isText,
  preset: optional(oneOf(['', rolesPreset])),
});

function targetOf({ address }: Pick<KnownDatabase, 'address'>): Target {
  const parsed = parseTarget(address);
  if (parsed.kind === 'problem') throw new ExpectedError(parsed.problem);
  return parsed.target;
}

function passwordIn(address: string): string | undefined {
  const parsed = parseTarget(address);
  return parsed.kind === 'target' ? parsed.password : undefined;
}

const keyOf = ({ digest }: Target): string => `local-${digest}`;
const secretKeyOf = ({ digest }: Target): string => `identityQueries.ownData.${digest}`;

function isRemote(): boolean {
  return vscode.env.remoteName !== undefined;
}

/** The process of another window would answer with other models than those that were chosen here. */
function otherChoices({ shown }: Target, schemas: string, preset: string): ExpectedError {
  const chosen = [
    schemas === '' ? vscode.l10n.t('all schemas') : schemas,
    preset === rolesPreset
      ? vscode.l10n.t('Tables, and the roles of the server')
      : vscode.l10n.t('Tables only'),
  ];
  return new ExpectedError(
    vscode.l10n.t(
      'Another window uses {0} with other choices: {1}. Choose the same, or stop the service there, then connect again.',
      shown,
      chosen.join('; '),
    ),
    [{ title: vscode.l10n.t('Connect to Your PostgreSQL...'), command: commands.ownDataConnect }],
  );
}
