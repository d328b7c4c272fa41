import path from 'node:path';
import * as esbuild from 'esbuild';

/**
 * The code needs only the IDs of contributions. Their titles, menus and descriptions are for the manifest, and parsing
 * them would add 3 ms to the startup of every window.
 * @type {esbuild.Plugin}
 */
export const idsAlone = {
  name: 'ids-alone',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    build.onLoad({ filter: /[\\/]client[\\/]src[\\/]contributions\.ts$/ }, async ({ path: file }) => {
      const { outputFiles, metafile } = await esbuild.build({
        absWorkingDir: root,
        bundle: true,
        platform: 'node',
        entryPoints: [file],
        format: 'esm',
        write: false,
        metafile: true,
      });
      /** @type {Record<string, unknown>} */
      const values = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
      const { contributions: _, ...ids } = values;
      return {
        loader: 'js',
        contents: Object.entries(ids)
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
          .join('\n'),
        watchFiles: Object.keys(metafile.inputs).map((input) => path.join(root, input)),
      };
    });
  },
};
