/** Builds dist/sandbox: two bundles, PGlite's files, and the prepared database that the sandbox starts from. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { compressPackageFiles, prepareDatabase } from './src/build/prepare.ts';

export interface BuildSandboxOptions {
  readonly outdir: string;
  readonly production: boolean;
}

const here = fileURLToPath(new URL('.', import.meta.url));

/** Returns what the bundles are made of. */
export async function buildSandbox(options: BuildSandboxOptions): Promise<esbuild.Metafile> {
  const { outdir } = options;
  await mkdir(outdir, { recursive: true });
  const { metafile } = await esbuild.build({ ...sandboxBundles(options), metafile: true });
  await compressPackageFiles(outdir);
  await prepareDatabase(outdir);
  return metafile;
}

export function sandboxBundles({ outdir, production }: BuildSandboxOptions): esbuild.BuildOptions {
  return {
    absWorkingDir: path.join(here, '..'),
    entryPoints: [
      { in: 'service/src/main.ts', out: 'main' },
      { in: 'service/src/query/worker.ts', out: 'query-worker' },
      { in: 'service/src/postgres/loader.ts', out: 'postgres-loader' },
    ],
    // pg loads these only outside Node or for its native client.
    external: ['pg-native', 'cloudflare:sockets'],
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node22.19',
    format: 'esm',
    minify: production,
    sourcemap: production ? false : 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    // Fastify and its dependencies are CommonJS modules that load Node's built-in modules with require.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  };
}
