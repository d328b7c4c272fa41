/** The locale for numbers. */
import * as vscode from 'vscode';

let system: string | undefined;

/** Returns the editor's language, with the system's region if both have the same language: `en-GB` rather than `en`. */
export function locale(): string {
  const { language } = vscode.env;
  system ??= new Intl.DateTimeFormat().resolvedOptions().locale;
  return system.startsWith(`${language}-`) ? system : language;
}
