/** Status bar and language status items with safe text, since the editor parses their details for links. */
import * as vscode from 'vscode';
import { forLabel, forLines, forStatus, forStatusDetail } from '#base/shown-text/for-places.ts';
import { fitted, whereGiven } from './fitted.ts';

export function createStatusBarItem(
  id: string,
  alignment: vscode.StatusBarAlignment,
  priority: number,
): vscode.StatusBarItem {
  return fitted(vscode.window.createStatusBarItem(id, alignment, priority), {
    text: forStatus,
    tooltip: whereGiven(forLines),
  });
}

export function createLanguageStatusItem(
  id: string,
  selector: vscode.DocumentSelector,
): vscode.LanguageStatusItem {
  return fitted(vscode.languages.createLanguageStatusItem(id, selector), {
    text: forLabel,
    detail: whereGiven(forStatusDetail),
  });
}
