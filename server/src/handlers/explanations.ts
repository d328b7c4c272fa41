/** Location of a code's explanation: its page in the package, or the client's own command. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities } from 'vscode-languageserver/node';
import type { FindingCode } from '../language/checks/finding.ts';
import { explainFindingCommand } from '../protocol.ts';

/** An address for `codeDescription`; undefined if the client does not show it. */
export type Explain = (code: FindingCode) => string | undefined;

/** `options` are the client's `initializationOptions`, which may be anything. */
export function explanationsFor(capabilities: ClientCapabilities, options: unknown): Explain {
  if (capabilities.textDocument?.publishDiagnostics?.codeDescriptionSupport !== true) {
    return () => undefined;
  }
  const hasCommand =
    typeof options === 'object' &&
    options !== null &&
    'explainsFindings' in options &&
    options.explainsFindings === true;
  const { href } = pathToFileURL(page());
  return hasCommand
    ? (code) => `command:${explainFindingCommand}?${encodeURIComponent(JSON.stringify([code]))}`
    : (code) => `${href}#${code.toLowerCase()}`;
}

/** Beside the bundle's folder; from source, at the root of the project. */
function page(): string {
  const isBundle = !import.meta.filename.endsWith('.ts');
  return path.join(import.meta.dirname, isBundle ? '..' : '../../..', 'docs', 'diagnostics.md');
}
