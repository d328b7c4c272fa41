/** Waits for the answer to a prompt. */
import type * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';

/**
 * Shows a prompt until it is answered, or hidden without an answer, and disposes of it with its listeners.
 * @param listen listens to the prompt; what else it listens to goes into the store.
 */
export async function answerTo<Answer>(
  prompt: vscode.QuickInput,
  listen: (answer: (value: Answer) => void, disposables: DisposableStore) => void,
): Promise<Answer | undefined> {
  const disposables = new DisposableStore();
  disposables.add(prompt);
  try {
    return await new Promise<Answer | undefined>((resolve) => {
      listen(resolve, disposables);
      prompt.onDidHide(() => resolve(undefined));
      prompt.show();
    });
  } finally {
    disposables.dispose();
  }
}
