/**
 * Prepares a fresh clone, then runs a script with the Node version pinned in package.json. Plain JavaScript without
 * dependencies, for Node >= 20: `node scripts/ensure-install.js SCRIPT [ARGS...]`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const node = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Returns whether npm's record of node_modules matches the lock file, package by package. */
function isInstalled() {
  const installedFile = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedFile) || !existsSync(node)) return false;
  const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '' || entry.optional === true) return true;
    return installed[name]?.version === entry.version;
  });
}

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  process.stderr.write('usage: node scripts/ensure-install.js SCRIPT [ARGS...]\n');
  process.exit(2);
}
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  process.stderr.write(`Node ${process.versions.node} is too old: Node 20 or newer is needed.\n`);
  process.exit(1);
}
if (!isInstalled()) {
  process.stdout.write('Installing dependencies (npm ci) ...\n');
  // Hide warnings: npm checks packages against the caller's Node, but the scripts run on the pinned version.
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    process.stderr.write('npm ci failed. Check the network and the npm registry, then try again.\n');
    process.exit(result.status ?? 1);
  }
}
// The pinned Node and this project's tools come first on the PATH of all child processes.
const bin = [path.dirname(node), path.join(root, 'node_modules/.bin')].join(path.delimiter);
const environment = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
const child = spawn(node, [path.resolve(root, script), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: environment,
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    // Ctrl+C reaches the child directly. Other signals are forwarded, and the child decides when to exit.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
// npm runs this through a shell that does not forward SIGTERM, so stop the child when the parent is gone.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) child.kill('SIGTERM');
}, 500).unref();
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
