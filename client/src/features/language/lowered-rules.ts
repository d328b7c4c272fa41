/**
 * Shows findings as hints where the service has run the very text that they flag. The server knows nothing of it: it
 * checks texts, and what a service accepted is a fact of this workspace.
 */
import * as vscode from 'vscode';
import type { StatementInfo } from '../../../../server/src/protocol.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import { codeOf } from './code-of.ts';

export interface LoweredRules {
  isLowered(statement: string, code: string): boolean;
  /** Whether the rule is lowered for any text: a cheap look before the dear one. */
  mayBeLowered(code: string): boolean;
  /** Fires when a rule was lowered for one more text. */
  readonly onDidChange: vscode.Event<void>;
}

type Publish = (uri: vscode.Uri, diagnostics: vscode.Diagnostic[]) => void;

export class DiagnosticLowering {
  readonly #statements: (uri: vscode.Uri) => Promise<readonly StatementInfo[]>;
  /** What the server last said of each document, to show it anew when a rule is lowered. */
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

  /** The language client's middleware for what the server publishes. */
  handle(uri: vscode.Uri, diagnostics: vscode.Diagnostic[], publish: Publish): void {
    this.#last.set(uri.toString(), { diagnostics, publish });
    const rules = this.#rules;
    if (rules === undefined || !diagnostics.some((one) => rules.mayBeLowered(codeOf(one)))) {
      publish(uri, diagnostics);
      return;
    }
    void this.#lower(uri, diagnostics, rules).then((lowered) => {
      // Meanwhile the server may have said something newer.
      if (this.#last.get(uri.toString())?.diagnostics === diagnostics) publish(uri, lowered);
    });
  }

  #again(): void {
    for (const [uri, { diagnostics, publish }] of this.#last) {
      this.handle(vscode.Uri.parse(uri, true), diagnostics, publish);
    }
  }

  async #lower(
    uri: vscode.Uri,
    diagnostics: readonly vscode.Diagnostic[],
    rules: LoweredRules,
  ): Promise<vscode.Diagnostic[]> {
    // Without the statements nothing can be lowered, and what the server said stands.
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

/** The same object with another look, so that its fixes stay: they hang on data that only the object has. */
function asHint(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  const note = vscode.l10n.t('The service has run this text, so this is only a hint.');
  if (!diagnostic.message.endsWith(note)) diagnostic.message = `${diagnostic.message}\n${note}`;
  diagnostic.severity = vscode.DiagnosticSeverity.Hint;
  return diagnostic;
}
