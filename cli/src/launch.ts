/**
 * Loads the program only on a Node.js version that can parse it; an older one would print a SyntaxError. Node.js's
 * compile cache avoids most compilation after the first start.
 */
// Older versions lack `enableCompileCache`, so importing it by name would fail before the message.
import * as nodeModule from 'node:module';
import { makeFoldersSync } from '#base/files/make-folders-sync.ts';
import { compileCacheFolder } from '#server/compile-cache.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `identity-queries: needs Node 22.19 or newer, and this is Node ${process.versions.node}.\nGet a newer one from https://nodejs.org, then run the command again.\n`,
  );
  process.exitCode = 2;
} else {
  const caches = compileCacheFolder(process.env, process.platform);
  try {
    // Its content is executed, so no other user may read or write it.
    makeFoldersSync(caches, 0o700);
  } catch {
    // A read-only cache is harmless, as a disabled one is.
  }
  nodeModule.enableCompileCache(caches);
  const { main } = await import('./main.ts');
  await main();
}
