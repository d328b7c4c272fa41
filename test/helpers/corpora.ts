/** Reads the queries of public test suites. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface CorpusQuery {
  readonly id: string;
  readonly sql: string;
}

const folder = path.join(import.meta.dirname, '../corpora');

export const corpora: readonly string[] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

export function readCorpus(file: string): readonly CorpusQuery[] {
  const lines = readFileSync(path.join(folder, file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as CorpusQuery); // the shape of the corpora
}
