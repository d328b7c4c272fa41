/** `check FILE...`: one line a finding, in the form that editors and terminals make clickable. */
import { readFile } from 'node:fs/promises';
import type { Analyser } from '../../server/src/language/analyser.ts';
import { exitCodes, write, type Streams } from './output.ts';
import { hasErrors, report } from './report.ts';

export async function checkFiles(
  analyser: Pick<Analyser, 'analyse'>,
  files: readonly string[],
  { stdout, stderr }: Streams,
): Promise<number> {
  let exitCode: number = exitCodes.clean;
  for (const file of files) {
    const text = await readText(file).catch((error: unknown) => unreadable(error));
    if (typeof text !== 'string') {
      await write(stderr, `identity-queries: ${file} cannot be read: ${text.reason}\n`);
      exitCode = exitCodes.badInput;
      continue;
    }
    const findings = (await analyser.analyse(text, { isSavedQuery: false }))?.findings ?? [];
    for (const { line, column, severity, code, message } of report(text, findings)) {
      if (severity !== 'hint') {
        await write(stdout, `${file}:${line}:${column}: ${severity} ${code}: ${message}\n`);
      }
    }
    if (exitCode === exitCodes.clean && hasErrors(findings)) {
      exitCode = exitCodes.errorsFound;
    }
  }
  return exitCode;
}

/** Without the byte order mark, which is no part of the text. */
async function readText(file: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
}

function unreadable(error: unknown): { readonly reason: string } {
  if (error instanceof TypeError) {
    return { reason: 'it is not UTF-8 text.' };
  }
  return { reason: error instanceof Error ? error.message : 'for an unknown reason.' };
}
