/** The language of dates and numbers. */
import * as vscode from 'vscode';

let system: string | undefined;

/** The editor's language, with the system's region if that is of the same language: `en-GB` rather than `en`. */
export function locale(): string {
  const { language } = vscode.env;
  system ??= new Intl.DateTimeFormat().resolvedOptions().locale;
  return system.startsWith(`${language}-`) ? system : language;
}
