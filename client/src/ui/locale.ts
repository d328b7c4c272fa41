/** The locale for dates and numbers. */
import * as vscode from 'vscode';

let system: string | undefined;

/** Returns the editor's language, with the system's region if both have the same language: `en-GB` rather than `en`. */
export function locale(): string {
  const { language } = vscode.env;
  system ??= new Intl.DateTimeFormat().resolvedOptions().locale;
  return system.startsWith(`${language}-`) ? system : language;
}

/** Formats a moment, for example "Mar 4, 2026, 5:19 PM". */
export function dateAndTime(at: number | string): string {
  return new Date(at).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats the day; for today, the time. */
export function dayOrTime(at: number): string {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString()
    ? date.toLocaleTimeString(locale(), { timeStyle: 'short' })
    : date.toLocaleDateString(locale(), { dateStyle: 'medium' });
}
