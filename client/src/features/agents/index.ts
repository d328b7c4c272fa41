/**
 * Agents in the editor: a server that the editor starts (a relay, so that credentials stay here), and what was asked.
 * What they may do is decided in core/policy, whatever the editor asked the person before.
 */
import * as vscode from 'vscode';
import type { Socket } from 'node:net';
import { auditFileIn } from '../../../../core/src/agents/audit/audit-file.ts';
import { dataFolder } from '../../../../core/src/util/data-folder.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { commands } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { commandsIn } from '../../ui/register-command.ts';
import { registerTextDocumentContentProvider } from '../../ui/shown/content-providers.ts';
import type { LanguageFeature } from '../language/index.ts';
import type { RunsFeature } from '../runs/index.ts';
import { AgentDoor } from './agent-door.ts';
import { SessionHost } from './session-host.ts';
import { registerTools } from './tools.ts';

export interface AgentsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly version: string;
  readonly runs: Pick<RunsFeature, 'run'>;
  readonly language: Pick<LanguageFeature, 'statements'>;
}

const scheme = 'identity-query-ai-activity';
const linesMax = 1_000;

export function registerAgents({
  context,
  log,
  session,
  version,
  runs,
  language,
}: AgentsDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const auditFile = auditFileIn(dataFolder(process.env));
  const host = new SessionHost(session);
  const changed = disposables.add(new vscode.EventEmitter<void>());
  disposables.add(session.onDidChangeState(() => changed.fire()));

  // Loaded with the first agent: the protocol and the parser's analysis are half a megabyte.
  const start = async () => {
    const agents = await import('../../../../core/src/agents/mcp/serve.ts');
    return { agents, ...agents.createAgentSession(host, auditFile) };
  };
  let serving: ReturnType<typeof start> | undefined;
  const serve = async (socket: Socket): Promise<void> => {
    serving ??= start();
    const { agents, session: calls } = await serving;
    const listen = (listener: () => void) => {
      const subscription = changed.event(listener);
      return () => {
        subscription.dispose();
      };
    };
    const served = agents.serveAgents({
      session: calls,
      version,
      input: socket,
      output: socket,
      onDidChange: listen,
      onError: (error) => log.debug(`agents: ${error.name}`),
    });
    await served.ended;
    await served.close();
  };
  const door = new AgentDoor((socket) => {
    serve(socket).catch((error: unknown) => {
      log.error(`agents: ${error instanceof Error ? error.name : 'failed'}`);
      socket.destroy();
    });
  });
  disposables.add({
    dispose: () => {
      void door.close();
      void serving?.then(({ checks }) => checks.dispose());
    },
  });

  disposables.add(
    vscode.lm.registerMcpServerDefinitionProvider('identityQueries.agents', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions() {
        const connection = host.connection();
        if (connection === undefined || connection.level === 'off') return [];
        const relay = vscode.Uri.joinPath(context.extensionUri, 'dist', 'agent-relay.cjs').fsPath;
        return [
          new vscode.McpStdioServerDefinition(
            'Identity Queries',
            process.execPath,
            [relay],
            { ELECTRON_RUN_AS_NODE: '1' },
            version,
          ),
        ];
      },
      async resolveMcpServerDefinition(server: vscode.McpStdioServerDefinition) {
        const { address, word } = await door.invite();
        server.env = {
          ...server.env,
          IDENTITY_QUERIES_RELAY_SOCKET: address,
          IDENTITY_QUERIES_RELAY_WORD: word,
        };
        return server;
      },
    }),
  );

  disposables.add(
    registerTools({
      connection: () => host.connection(),
      statements: (document) => language.statements(document),
      run: (document) => runs.run(document),
    }),
  );

  const activity = disposables.add(new vscode.EventEmitter<vscode.Uri>());
  disposables.add(
    registerTextDocumentContentProvider(scheme, {
      onDidChange: activity.event,
      async provideTextDocumentContent() {
        const { AuditLog } = await import('../../../../core/src/agents/audit/audit-log.ts');
        const { activityText } = await import('./activity-document.ts');
        const audit = new AuditLog(auditFile);
        return activityText(auditFile, await audit.newest(linesMax), await audit.check());
      },
    }),
  );
  const on = commandsIn(disposables, log);
  on(commands.agentsShowActivity, [], async () => {
    const uri = vscode.Uri.from({ scheme, path: '/AI Activity.log' });
    activity.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  });
  return disposables;
}
