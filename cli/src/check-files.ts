/**
 * `check FILE...`: prints one line per finding, in a format that editors and terminals make clickable, or JSON or
 * SARIF.
 */
import { writeFile } from 'node:fs/promises';
import { repositoryOf } from '#base/files/repository-of.ts';
import { saveFile, targetPath } from '#base/files/target-file.ts';
import { forTerminal, jsonForTerminal } from '#base/shown-text/for-terminal.ts';
import type { Analyser } from '#server/language/checks/analyser.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import type { ResultColumn } from '#server/language/types/type-statement.ts';
import { CliError, type CliContext } from './context.ts';
import { exitCodes, write, writeJson } from './output.ts';
import { fileInReport } from './report-files.ts';
import { hasErrors, report, type CheckedFile } from './report.ts';
import { resultsOf, type ResultTypes } from './result-types.ts';
import { sarifOf } from './sarif.ts';
import { readText } from './text-file.ts';

export interface CheckFilesOptions {
  readonly catalogue?: Catalogue;
  /** Model for queries that do not name one. */
  readonly model?: string;
  /** Returns a saved query file's model. */
  readonly modelOf?: (file: string) => string | undefined;
  readonly isJson: boolean;
  /** Whether to print result columns with their types. */
  readonly explainsTypes?: boolean;
  readonly sarifFile: string | undefined;
}

export async function checkFiles(
  analyser: Pick<Analyser, 'analyse'>,
  files: readonly string[],
  context: CliContext,
  { catalogue, model, modelOf, isJson, sarifFile, explainsTypes = false }: CheckFilesOptions,
): Promise<number> {
  let exitCode: number = exitCodes.clean;
  const checked: CheckedFile[] = [];
  for (const file of files) {
    const text = await readText(file, context).catch((error: unknown) => {
      if (error instanceof CliError) return error;
      throw error;
    });
    if (typeof text !== 'string') {
      await write(context.stderr, `identity-queries: ${forTerminal(text.message)}\n`);
      exitCode = exitCodes.badInput;
      continue;
    }
    const analysis = await analyser.analyse(text, {
      isSavedQuery: false,
      ...(catalogue === undefined ? {} : { catalogue }),
      ...modelOption(model ?? modelOf?.(file)),
    });
    const findings = analysis?.findings ?? [];
    const diagnostics = report(text, findings);
    const results = explainsTypes && analysis !== undefined ? resultsOf(analysis) : undefined;
    checked.push({ file, diagnostics, ...(results === undefined ? {} : { results }) });
    if (!isJson) {
      await print(context, { file, diagnostics });
      await printResults(context, file, results ?? []);
    }
    if (exitCode === exitCodes.clean && hasErrors(findings)) exitCode = exitCodes.errorsFound;
  }
  if (isJson) await writeJson(context.stdout, { files: checked });
  if (sarifFile !== undefined) {
    const root = repositoryOf(context.cwd);
    const named = checked.map((one) => ({
      ...one,
      file: fileInReport(one.file, { cwd: context.cwd, root }),
    }));
    await writeSarif(context, sarifFile, named);
  }
  return exitCode;
}

function modelOption(model: string | undefined): { readonly model?: string } {
  return model === undefined ? {} : { model };
}

async function print({ stdout }: CliContext, { file, diagnostics }: CheckedFile): Promise<void> {
  for (const { line, column, severity, code, message } of diagnostics) {
    if (severity === 'hint') continue;
    await write(
      stdout,
      `${forTerminal(file)}:${line}:${column}: ${severity} ${code}: ${forTerminal(message)}\n`,
    );
  }
}

async function printResults(
  { stdout }: CliContext,
  file: string,
  results: readonly ResultTypes[],
): Promise<void> {
  for (const { line, column, columns } of results) {
    const shown = columns === null ? 'columns unknown' : columns.map(shownColumn).join(', ') || 'no columns';
    await write(stdout, `${forTerminal(file)}:${line}:${column}: result: ${forTerminal(shown)}\n`);
  }
}

/** Formats a column, such as `id integer not null`; a name that could be read as several words is quoted. */
function shownColumn({ name = '?', type, modelType, nullable }: ResultColumn): string {
  const shownName = /[\s,"]/.test(name) || name === '' ? `"${name.replaceAll('"', '""')}"` : name;
  const shownType = type ?? modelType;
  return `${shownName} ${shownType === undefined ? 'unknown' : `${shownType}${nullable === false ? ' not null' : ''}`}`;
}

async function writeSarif(
  { cwd, signal }: CliContext,
  file: string,
  checked: readonly CheckedFile[],
): Promise<void> {
  const text = `${jsonForTerminal(JSON.stringify(sarifOf(checked), undefined, 2))}\n`;
  await saveFile(targetPath(cwd, file), (draft) => writeFile(draft, text, { flag: 'wx' }), { signal });
}
