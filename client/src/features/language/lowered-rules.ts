/**
 * Turns findings into hints if the service ran exactly the flagged text. This happens in the client because the server
 * only checks text; what the service has accepted is specific to this workspace.
 */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { StatementInfo } from '#server/protocol.ts';
import { codeOf } from './code-of.ts';

export interface LoweredRules {
  isLowered(statement: string, code: string): boolean;
  /** Returns whether the rule is lowered for any text; a cheap check before the expensive one. */
  mayBeLowered(code: string): boolean;
  /** Fires when a rule is lowered for another statement. */
  readonly onDidChange: vscode.Event<void>;
}

type Publish = (uri: vscode.Uri, diagnostics: vscode.Diagnostic[]) => void;

export class DiagnosticLowering {
  readonly #statements: (uri: vscode.Uri) => Promise<readonly StatementInfo[]>;
  /** The server's last findings by document, to show them again when a rule is lowered. */
  readonly #last = new Map<
    string,
    { readonly diagnostics: vscode.Diagnostic[]; readonly publish: Publish }
  >();
  #rules: LoweredRules | undefined;

  constructor(statements: (uri: vscode.Uri) => Promise<readonly StatementInfo[]>) {
    this.#statements = statements;
  }

  use(rules: LoweredRules): DisposableLike {
    this.#rules = rules;
    const disposables = new DisposableStore();
    disposables.add(rules.onDidChange(() => this.#again()));
    disposables.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#last.delete(uri.toString())));
    disposables.add({ dispose: () => (this.#rules = undefined) });
    return disposables;
  }

  /** Handles published findings as middleware of the language client. */
  handle(uri: vscode.Uri, diagnostics: vscode.Diagnostic[], publish: Publish): void {
    this.#last.set(uri.toString(), { diagnostics, publish });
    const rules = this.#rules;
    if (rules === undefined || !diagnostics.some((one) => rules.mayBeLowered(codeOf(one)))) {
      publish(uri, diagnostics);
      return;
    }
    void this.#lower(uri, diagnostics, rules).then((lowered) => {
      // The server may have published newer findings in the meantime.
      if (this.#last.get(uri.toString())?.diagnostics === diagnostics) publish(uri, lowered);
    });
  }

  #again(): void {
    for (const [uri, { diagnostics, publish }] of this.#last)
      this.handle(vscode.Uri.parse(uri, true), diagnostics, publish);
  }

  async #lower(
    uri: vscode.Uri,
    diagnostics: readonly vscode.Diagnostic[],
    rules: LoweredRules,
  ): Promise<vscode.Diagnostic[]> {
    // If the statements are unavailable, no finding is lowered.
    const statements = await this.#statements(uri).catch((): readonly StatementInfo[] => []);
    return diagnostics.map((diagnostic) => {
      const { start } = diagnostic.range;
      const statement = statements.find(({ range }) =>
        new vscode.Range(
          range.start.line,
          range.start.character,
          range.end.line,
          range.end.character,
        ).contains(start),
      );
      const isLowered = statement !== undefined && rules.isLowered(statement.text, codeOf(diagnostic));
      return isLowered ? asHint(diagnostic) : diagnostic;
    });
  }
}

/** Reuse the object and change only its severity: quick fixes depend on data stored in it. */
function asHint(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  const note = vscode.l10n.t('The service has run this text, so this is only a hint.');
  if (!diagnostic.message.endsWith(note)) diagnostic.message = `${diagnostic.message}\n${note}`;
  diagnostic.severity = vscode.DiagnosticSeverity.Hint;
  return diagnostic;
}
