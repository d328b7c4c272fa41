/** Arguments of the evidence commands: a file or text of evidence, and whether to run it again. */
import * as vscode from 'vscode';
import { flag, instanceOf, object, optional, text, type Parser } from '../../ui/arguments.ts';

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

/** A bare address is a file. */
export const evidenceArgument: Parser<EvidenceArgument> = (value) =>
  value instanceof vscode.Uri ? { uri: value } : (optional(members)(value) ?? {});
