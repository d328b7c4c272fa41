/** The benchmarks of a folder, from its own file if there is one, otherwise from the installed packs. */
import path from 'node:path';
import { parseTag } from '#server/language/text/control-directives.ts';
import { benchmarksName, readBenchmarks, type Benchmark } from '../controls/files/benchmarks.ts';
import { controlFolder } from '../controls/files/control-file.ts';
import type { PackBenchmark } from './pack-manifest.ts';
import { PackStore, PackStoreError } from './pack-store.ts';

/** @throws ControlFileError if the folder's own file is damaged. */
export async function readFolderBenchmarks(root: string): Promise<readonly Benchmark[]> {
  const own = await readBenchmarks(
    path.join(root, controlFolder, benchmarksName),
    `${controlFolder}/${benchmarksName}`,
  );
  return own.length > 0 ? own : await packBenchmarks(root);
}

async function packBenchmarks(root: string): Promise<readonly Benchmark[]> {
  try {
    const manifests = await new PackStore(root).manifests();
    return manifests.flatMap(({ benchmarks }) => benchmarks.map(benchmarkOf));
  } catch (error) {
    // The pack commands report a damaged lock file; listing controls does not need it.
    if (error instanceof PackStoreError) return [];
    throw error;
  }
}

function benchmarkOf({ title, description, tag, children = [] }: PackBenchmark): Benchmark {
  const parsed = tag === undefined ? undefined : parseTag(tag);
  return {
    title,
    ...(description === undefined ? {} : { description }),
    ...(parsed === undefined ? {} : { tag: parsed }),
    children: children.map(benchmarkOf),
  };
}
