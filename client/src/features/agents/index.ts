/**
 * Agents in the editor: a server for them and their log. The server is a relay, so credentials stay in this process.
 * core/policy decides what agents may do, regardless of the editor's own confirmation.
 */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { dataFolder } from '#base/files/data-folder.ts';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import { memoryIn } from '#client/session/memory-in.ts';
import { auditFileIn } from '#core/agents/audit/audit-file.ts';
import type { LanguageFeature } from '../language/index.ts';
import type { RunsFeature } from '../runs/index.ts';
import { registerActivityDocument } from './activity-view.ts';
import { AgentDoor } from './agent-door.ts';
import { AgentSockets } from './agent-sockets.ts';
import { SessionHost } from './session-host.ts';
import { registerTools } from './tools.ts';

export interface AgentsDependencies extends FeatureDependencies {
  readonly version: string;
  readonly runs: Pick<RunsFeature, 'run'>;
  readonly language: Pick<LanguageFeature, 'statements'>;
}

export function registerAgents(deps: AgentsDependencies): DisposableLike {
  const feature = new Agents(deps);
  feature.start();
  return feature;
}

class Agents implements DisposableLike {
  readonly #deps: AgentsDependencies;
  readonly #disposables = new DisposableStore();
  readonly #memory = memoryIn(dataFolder(process.env));
  readonly #host: SessionHost;
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #sockets: AgentSockets;
  readonly #door = new AgentDoor((socket) => this.#sockets.serve(socket));

  constructor(deps: AgentsDependencies) {
    this.#deps = deps;
    this.#host = new SessionHost(deps.session);
    this.#sockets = new AgentSockets({
      host: this.#host,
      memory: this.#memory,
      version: deps.version,
      log: deps.log,
      onDidChange: (listener) => {
        const subscription = this.#onDidChange.event(listener);
        return () => void subscription.dispose();
      },
    });
  }

  start(): void {
    const { log, session, runs, language } = this.#deps;
    this.#disposables.add(session.onDidChangeState(() => this.#onDidChange.fire()));
    this.#disposables.add({
      dispose: () => {
        void this.#door.close();
        this.#sockets.dispose();
      },
    });
    this.#disposables.add(this.#offerServer());
    this.#disposables.add(
      registerTools({
        connection: () => this.#host.connection(),
        statements: (document) => language.statements(document),
        run: (document) => runs.run(document),
      }),
    );
    this.#disposables.add(registerActivityDocument(log, auditFileIn(this.#memory.folder)));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Registers the server for agents in the editor while the connection allows agents. */
  #offerServer(): vscode.Disposable {
    const { context, version } = this.#deps;
    const relay = vscode.Uri.joinPath(context.extensionUri, 'dist', 'agent-relay.cjs').fsPath;
    return vscode.lm.registerMcpServerDefinitionProvider('identityQueries.agents', {
      onDidChangeMcpServerDefinitions: this.#onDidChange.event,
      provideMcpServerDefinitions: () => {
        const connection = this.#host.connection();
        if (connection === undefined || connection.level === 'off') return [];
        const environment = { ELECTRON_RUN_AS_NODE: '1' };
        return [
          new vscode.McpStdioServerDefinition(
            'Identity Queries',
            process.execPath,
            [relay],
            environment,
            version,
          ),
        ];
      },
      resolveMcpServerDefinition: async (server: vscode.McpStdioServerDefinition) => {
        const { address, word } = await this.#door.invite();
        server.env = {
          ...server.env,
          IDENTITY_QUERIES_RELAY_SOCKET: address,
          IDENTITY_QUERIES_RELAY_WORD: word,
        };
        return server;
      },
    });
  }
}
