/** Builds our pages as in the package. */
import path from 'node:path';
import { build } from 'esbuild';
import { fromRoot, root } from '#scripts/lib/paths.js';
import { textsOfBundle } from '#scripts/lib/texts.js';

/**
 * Maximum compressed size of the page's script, which loads each time the panel is shown. 11 KB of it are Temporal, for
 * the preview of relative times, until each editor has its own.
 */
export const webviewGoalBytes = 74 * 1024;

export interface WebviewBundle {
  /** File contents by URL path. */
  readonly files: ReadonlyMap<string, string>;
  /** The page's English text. */
  readonly texts: readonly string[];
}

export async function buildWebview(name: 'connection' | 'results'): Promise<WebviewBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['main.ts', 'main.css'].map((file) => ({
      in: fromRoot('client/webview', name, file),
      out: name,
    })),
    outdir: 'out',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2023',
  });
  return {
    files: new Map(outputFiles.map((file) => [`/${path.basename(file.path)}`, file.text])),
    texts: textsOfBundle(metafile),
  };
}
