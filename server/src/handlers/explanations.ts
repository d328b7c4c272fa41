/** Links a finding's code to its explanation: the page in the package, or the client's command. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities } from 'vscode-languageserver/node';
import type { FindingCode } from '#base/finding-severities.ts';
import { explainFindingCommand } from '../protocol.ts';

/** Returns a URL for `codeDescription`, or undefined if the client does not support it. */
export type Explain = (code: FindingCode) => string | undefined;

/** @param options the client's `initializationOptions`, which are untrusted */
export function explanationsFor(capabilities: ClientCapabilities, options: unknown): Explain {
  if (capabilities.textDocument?.publishDiagnostics?.codeDescriptionSupport !== true) return () => undefined;
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

/** Returns the path of the page: next to the bundle's folder, or in the project root when run from source. */
function page(): string {
  const isBundle = !import.meta.filename.endsWith('.ts');
  return path.join(import.meta.dirname, isBundle ? '..' : '../../..', 'docs', 'diagnostics.md');
}
