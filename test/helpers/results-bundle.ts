/** The page of the result panel, built as the package has it. */
import { build } from 'esbuild';
import path from 'node:path';
import { fromRoot, root } from '../../scripts/lib/paths.js';

/** What the page's script may weigh, compressed: it is read each time that the panel is shown. */
export const webviewGoalBytes = 60 * 1024;

/** Its files by their address. */
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
