/** Shows the log of agent calls as a read-only document. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';

const scheme = 'identity-query-ai-activity';
const linesMax = 1_000;

export function registerActivityDocument(log: Logger, auditFile: string): DisposableLike {
  const disposables = new DisposableStore();
  const onDidChange = disposables.add(new vscode.EventEmitter<vscode.Uri>());
  disposables.add(
    registerTextDocumentContentProvider(scheme, {
      onDidChange: onDidChange.event,
      async provideTextDocumentContent() {
        const { AuditLog } = await import('#core/agents/audit/audit-log.ts');
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
