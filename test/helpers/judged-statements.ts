/** Reads a folder's .sql files in an order that lets a database load them. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lex } from '#server/language/text/lexer/lex.ts';
import { splitStatements } from '#server/language/text/statements.ts';

export interface SqlFile {
  readonly path: string;
  /** Files in the same folder share a database. */
  readonly folder: string;
  /** True if the file creates tables that other files in the folder read. */
  readonly isFirst: boolean;
  readonly statements: readonly string[];
}

/** True for files with table definitions, which are loaded first. */
const isFirst = (file: string): boolean => /(?:^|\/)(?:test_setup|schema|setup|\d+_)[^/]*$/.test(file);

export function sqlFiles(root: string, part: RegExp): readonly SqlFile[] {
  return globSync('**/*.sql', { cwd: root })
    .toSorted((a, b) =>
      path.dirname(a) === path.dirname(b)
        ? Number(isFirst(b)) - Number(isFirst(a)) || a.localeCompare(b)
        : a.localeCompare(b),
    )
    .filter((file) => isFirst(file) || part.test(file))
    .map((file) => ({
      path: file,
      folder: path.dirname(file),
      isFirst: isFirst(file),
      statements: statementsOf(readFileSync(path.join(root, file), 'utf8')),
    }));
}

/** Strips psql meta-commands and inline COPY data. */
function statementsOf(text: string): readonly string[] {
  const plain = text
    .replace(/^copy .* from stdin.*;[^]*?^\\\.$/gim, '')
    .replace(/^\\.*$/gm, '')
    .replace(/\\(?:gset|gexec|gx|g|crosstabview|bind|parse)\b.*$/gm, ';');
  return splitStatements(lex(plain)).map(({ start, end }) => plain.slice(start, end));
}
