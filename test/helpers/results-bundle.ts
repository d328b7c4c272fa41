/** The result panel's page, built as in the package. */
import { build } from 'esbuild';
import path from 'node:path';
import { fromRoot, root } from '../../scripts/lib/paths.js';

/** Maximum compressed size of the page's script: it is loaded each time the panel is shown. */
export const webviewGoalBytes = 60 * 1024;

/** Bundle files by URL path. */
export async function buildResults(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['main.ts', 'main.css'].map((file) => ({
      in: fromRoot('client/webview/results', file),
      out: 'results',
    })),
    outdir: 'out',
    bundle: true,
    write: false,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2023',
  });
  return new Map(outputFiles.map((file) => [`/${path.basename(file.path)}`, file.text]));
}
