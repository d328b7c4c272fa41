/** Shows a diff of two strings that are not in editors. Both sides are read-only and last until the window closes. */
import * as vscode from 'vscode';
import { forFileName } from '#base/shown-text/for-places.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';
import { showDiff } from '#client/ui/shown/diffs.ts';

const scheme = 'identity-query-compared';
/** Maximum number of strings to keep for open diffs. */
const keptTexts = 20;

export interface ComparedText {
  readonly name: string;
  readonly text: string;
}

/** Register only one instance. */
export class ComparedTexts implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #count = 0;

  register(): vscode.Disposable {
    return registerTextDocumentContentProvider(scheme, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  async show(left: ComparedText, right: ComparedText, title: string): Promise<void> {
    const [from, to] = [this.#uriOf(left), this.#uriOf(right)];
    await showDiff(from, to, title, { preview: true });
  }

  #uriOf({ name, text }: ComparedText): vscode.Uri {
    this.#count += 1;
    const path = `/${this.#count}/${forFileName(name).replace(/[/\\]/g, '-')}.identity.sql`;
    const uri = vscode.Uri.from({ scheme, path });
    this.#texts.set(uri.toString(), text);
    for (const oldest of [...this.#texts.keys()].slice(0, Math.max(0, this.#texts.size - keptTexts)))
      this.#texts.delete(oldest);
    return uri;
  }
}
