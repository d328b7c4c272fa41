/** Prints the sizes of the package and of each bundle in bytes, as built for production. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { fromRoot, packageFile } from '#scripts/lib/paths.js';
import { webviewGoalBytes } from '../helpers/webview-bundle.ts';
import { print } from './statistics.ts';

print({ bench: 'size', file: 'package', bytes: statSync(packageFile()).size, goalBytes: 12 * 1024 * 1024 });
for (const file of readdirSync(fromRoot('dist'), { recursive: true, encoding: 'utf8' }).sort()) {
  if (!/\.(c?js|css|wasm)$/.test(file)) continue;
  const content = readFileSync(fromRoot('dist', file));
  const goal = file === path.join('webview', 'results.js') ? { goalGzipBytes: webviewGoalBytes } : {};
  print({
    ...{ bench: 'size', file: `dist/${file}` },
    ...{ bytes: content.length, gzipBytes: gzipSync(content).length, ...goal },
  });
}
