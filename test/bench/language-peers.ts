/**
 * Other language servers to compare with ours. They are installed only for the benchmark, into
 * .vscode-test/bench-peers. If one cannot be installed, the output names it and gives the reason.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export type Command = readonly [string, ...string[]];

export interface Peer {
  readonly name: string;
  readonly version: string;
  /** Undefined if the server cannot run. */
  readonly command: Command | undefined;
  /** Ends what the server leaves running, which would keep the benchmark from ending. */
  readonly end?: Command;
}

interface PeerPackage {
  readonly name: string;
  readonly version: string;
  /** Additional packages, in versions that the server's own manifest does not request. */
  readonly beside: Readonly<Record<string, string>>;
  readonly command: (folder: string) => Command | undefined;
  /** Arguments of the same program that end the process it starts in the background. */
  readonly endArguments?: readonly string[];
}

const packages: readonly PeerPackage[] = [
  {
    name: 'squawk-cli',
    version: '2.66.0',
    beside: {},
    // Run the binary directly: the package's script only starts it.
    command: (folder) => {
      const [program] = globSync('node_modules/@squawk-cli/*/bin/squawk*', { cwd: folder });
      return program === undefined ? undefined : [path.join(folder, program), 'server'];
    },
  },
  {
    name: 'sql-language-server',
    version: '1.7.1',
    beside: { 'vscode-languageserver-protocol': '3.17.5', 'vscode-jsonrpc': '8.2.0' },
    command: (folder) => [
      process.execPath,
      path.join(folder, 'node_modules/sql-language-server/npm_bin/cli.js'),
      'up',
      '--method',
      'stdio',
    ],
  },
  {
    name: '@postgres-language-server/cli',
    version: '0.25.5',
    beside: {},
    command: (folder) => {
      const [program] = globSync('node_modules/@postgres-language-server/cli-*/postgres-language-server*', {
        cwd: folder,
      });
      return program === undefined ? undefined : [path.join(folder, program), 'lsp-proxy'];
    },
    endArguments: ['stop'],
  },
  {
    name: 'plpgsql-lsp',
    version: '2.11.3',
    beside: {},
    command: (folder) => [
      process.execPath,
      path.join(folder, 'node_modules/plpgsql-lsp/out/server.js'),
      '--stdio',
    ],
  },
];

const root = path.join(import.meta.dirname, '../..');

export async function installPeers(): Promise<readonly Peer[]> {
  const peers: Peer[] = [];
  for (const { name, version, beside, command, endArguments } of packages) {
    const folder = await installPeer(name, version, beside);
    const started = folder === undefined ? undefined : command(folder);
    peers.push({
      name,
      version,
      command: started,
      ...(started !== undefined && endArguments !== undefined && { end: [started[0], ...endArguments] }),
    });
  }
  return peers;
}

/** Returns the folder that the package is installed into; undefined if it cannot be. */
export async function installPeer(
  name: string,
  version: string,
  beside: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const folder = path.join(root, '.vscode-test/bench-peers', name.replace('/', '+'));
  const isInstalled =
    (await isThere(folder, name, version)) || (await install(folder, name, version, beside));
  return isInstalled ? folder : undefined;
}

async function isThere(folder: string, name: string, version: string): Promise<boolean> {
  const manifest = await readFile(path.join(folder, 'node_modules', name, 'package.json'), 'utf8').catch(
    () => '{}',
  );
  return (JSON.parse(manifest) as { readonly version?: unknown }).version === version;
}

async function install(
  folder: string,
  name: string,
  version: string,
  beside: Readonly<Record<string, string>>,
): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  const manifest = { private: true, dependencies: { [name]: version, ...beside } };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  // Skip install scripts: none of the servers needs one.
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'ignore',
    shell: process.platform === 'win32',
  });
  const [code] = (await once(npm, 'exit')) as [number | null]; // `exit` passes the exit code, or null
  return code === 0;
}
