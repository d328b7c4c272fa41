/** Serves agents from this window's connection, within the limits of the connection's settings. */
import * as vscode from 'vscode';
import { settings, settingsSection } from '#client/contributions.ts';
import { readOnlyReason } from '#client/session/read-only.ts';
import { sensitivePatterns } from '#client/session/sensitive-patterns.ts';
import type { ConnectionState, Session } from '#client/session/session.ts';
import { showNewQuery } from '#client/ui/show-document.ts';
import type { AgentConnection, AgentHost, Proposal } from '#core/agents/agent-host.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { agentLevelOf, agentLimitsFrom } from '#core/policy/agent-levels.ts';
import { languageId, type CatalogueModel } from '#server/protocol.ts';

type Connected = Extract<ConnectionState, { kind: 'connected' }>;

/** Time for which a schema is considered current. */
const catalogueMs = 10 * 60_000;

export class SessionHost implements AgentHost {
  readonly #session: Session;
  readonly #known = new WeakMap<
    object,
    { readonly at: number; readonly models: Promise<readonly CatalogueModel[]> }
  >();

  constructor(session: Session) {
    this.#session = session;
  }

  connection(): AgentConnection | undefined {
    const { state } = this.#session;
    if (state.kind !== 'connected' || !vscode.workspace.isTrusted) return undefined;
    const { profile, client } = state;
    const configuration = vscode.workspace.getConfiguration(settingsSection);
    return {
      name: profile.name,
      key: connectionKeyOf(profile),
      folder: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? '',
      level: agentLevelOf(profile),
      limits: agentLimitsFrom({
        maxRows: configuration.get<unknown>(settings.aiMaxRows),
        maxBytes: configuration.get<unknown>(settings.aiMaxBytes),
        callsPerMinute: configuration.get<unknown>(settings.aiCallsPerMinute),
      }),
      sensitivePatterns: sensitivePatterns(profile),
      service: () => Promise.resolve(client),
      catalogue: async () => ({ models: await this.#catalogue(state) }),
    };
  }

  /** Opens the proposal as an unsaved document; only the user can save it. */
  async propose({ name, sql, model }: Proposal): Promise<string> {
    const directive = `-- @model ${model}`;
    const content = sql.includes('-- @model') ? sql : `${directive}\n${sql}`;
    await showNewQuery(languageId, content);
    const refused = readOnlyReason(this.#session);
    return refused === undefined
      ? `The query is open in the editor, unsaved. The person may save it, for example as "${name}".`
      : `The query is open in the editor, unsaved. ${refused} The person may keep it as a file.`;
  }

  #catalogue({ client, models }: Connected): Promise<readonly CatalogueModel[]> {
    const known = this.#known.get(client);
    if (known !== undefined && performance.now() - known.at < catalogueMs) return known.models;
    const read = this.#readTables(client, models);
    read.catch(() => this.#known.delete(client));
    this.#known.set(client, { at: performance.now(), models: read });
    return read;
  }

  /** Loaded lazily, because it loads the contract's schemas, which no window needs at startup. */
  async #readTables(
    client: Connected['client'],
    models: Connected['models'],
  ): Promise<readonly CatalogueModel[]> {
    const { membersOf, readSchema } = await import('#core/models/read-schema.ts');
    return Promise.all(
      models.map(async ({ name, description, default: isDefault }) => ({
        name,
        description,
        ...(isDefault === true ? { isDefault } : {}),
        ...membersOf(await readSchema(client, name)),
      })),
    );
  }
}
