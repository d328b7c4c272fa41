/** Whether a path is a folder, or in it. */
import path from 'node:path';

/** Compares the texts of the paths, without case except on Linux: resolve links before. */
export function isWithin(file: string, folder: string): boolean {
  const relative = path.relative(comparablePath(folder), comparablePath(file));
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Ignores case except on Linux, where paths are case-sensitive. */
export function comparablePath(file: string): string {
  return process.platform === 'linux' ? file : file.toLowerCase();
}
