/** Files of a folder are read by the bounded reader only. Every other read of the product is one of these. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Files that this program wrote outside of any folder of a user: its own data, caches, build and drafts. */
const ownData = [
  'base/files/code-cache.ts',
  'base/files/private-file.ts',
  'cli/src/main.ts',
  'client/src/features/comparisons/kept-results-store.ts',
  'client/src/features/results/kept/kept-files.ts',
  'client/src/features/saved-queries/saving/base-archive.ts',
  'client/src/session/local-service/shared-service.ts',
  'client/src/ui/page-texts.ts',
  'core/src/changes/change-store.ts',
  'core/src/exports/export-file.ts',
  'core/src/kept-runs/kept-runs-store.ts',
  'core/src/memory/memory.ts',
  'core/src/models/schema-cache.ts',
  'core/src/rows/files/excel-texts.ts',
  'core/src/rows/files/kept-rows.ts',
  'core/src/rows/files/rows-file.ts',
  'core/src/rows/files/save-file.ts',
  'core/src/rows/files/widen-rows.ts',
  'core/src/saved-queries/version-store.ts',
  'server/src/locale.ts',
  'server/src/parser/instance.ts',
  'server/src/parser/type-catalogue.ts',
];

/** Files that the person names, which may be pipes, as in `check <(...)`, or chooses in a dialog. */
const named = [
  'client/src/features/results/files/open-file.ts',
  'core/src/records/kept-pages.ts',
  'core/src/rows/files/text-rows.ts',
];

/** The readers and writers themselves, and the editor's reader of files that are not on disk. */
const readers = [
  'base/files/bounded-file.ts',
  'base/files/open-file.ts',
  'base/files/target-file.ts',
  'client/src/ui/folder-file.ts',
];

describe('files', () => {
  it('are read by the bounded reader, unless they are of this program or named by the person', () => {
    const found = globSync('{api,base,core,server,client,cli}/**/*.ts', { cwd: root })
      .filter((file) => !file.includes('node_modules'))
      .filter((file) => {
        const text = readFileSync(`${root}/${file}`, 'utf8');
        const imported = [...text.matchAll(/^import \{([^}]*)\} from 'node:fs(?:\/promises)?'/gm)]
          .map(([, each = '']) => each)
          .join(',');
        return (
          /\b(?:readFile|readFileSync|createReadStream|open|openSync|read|readSync|openAsBlob)\b/.test(
            imported,
          ) ||
          /\bworkspace\.fs\.readFile\(/.test(text) ||
          /import \* as \w+ from 'node:fs/.test(text)
        );
      })
      .map((file) => file.replaceAll('\\', '/'));
    assert.deepEqual(found.sort(), [...ownData, ...named, ...readers].sort());
  });
});
