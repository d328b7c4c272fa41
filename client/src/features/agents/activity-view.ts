/** Shows the log of agent calls as a read-only document. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { commands } from '../../contributions.ts';
import { commandsIn } from '../../ui/register-command.ts';
import { registerTextDocumentContentProvider } from '../../ui/shown/content-providers.ts';

const scheme = 'identity-query-ai-activity';
const linesMax = 1_000;

export function registerActivityDocument(log: Logger, auditFile: string): DisposableLike {
  const disposables = new DisposableStore();
  const onDidChange = disposables.add(new vscode.EventEmitter<vscode.Uri>());
  disposables.add(
    registerTextDocumentContentProvider(scheme, {
      onDidChange: onDidChange.event,
      async provideTextDocumentContent() {
        const { AuditLog } = await import('../../../../core/src/agents/audit/audit-log.ts');
        const { activityText } = await import('./activity-document.ts');
        const audit = new AuditLog(auditFile);
        return activityText(auditFile, await audit.newest(linesMax), await audit.check());
      },
    }),
  );
  const register = commandsIn(disposables, log);
  register(commands.agentsShowActivity, [], async () => {
    const uri = vscode.Uri.from({ scheme, path: '/AI Calls.log' });
    onDidChange.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  });
  return disposables;
}
