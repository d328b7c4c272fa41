/**
 * Parses the arguments of the evidence commands: a file or the text of a record, and whether to rerun its statement.
 */
import * as vscode from 'vscode';
import { flag, instanceOf, object, optional, text, type Parser } from '#client/ui/arguments.ts';

export interface EvidenceArgument {
  readonly text?: string | undefined;
  readonly uri?: vscode.Uri | undefined;
  readonly runAgain?: boolean | undefined;
}

const members = object({
  text: optional(text),
  uri: optional(instanceOf(vscode.Uri)),
  runAgain: optional(flag),
});

/** A plain URI names a file. */
export const evidenceArgument: Parser<EvidenceArgument> = (value) =>
  value instanceof vscode.Uri ? { uri: value } : (optional(members)(value) ?? {});
