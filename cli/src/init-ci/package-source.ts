/**
 * Where the jobs of a workflow get this program from: only what can be verified. A name alone is not written, since
 * whoever registers it would receive the client secret.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { typedLine } from '#base/advice.ts';
import { FileRefusal, readBounded, readBoundedText } from '#base/files/bounded-file.ts';
import { advice } from '../advice.ts';
import { CliError } from '../context.ts';
import type { CiProgram } from './jobs.ts';

export interface PackageOptions {
  /** A file of the repository, or the address of a release. */
  readonly package?: string;
  readonly sha256?: string;
}

const name = 'identity-queries';
/** A hidden folder, which neither `check` nor `controls` searches. */
const folder = '.identity-queries-ci';
/** A container's user may have no home to write to, where npm keeps its cache. */
const cache = `--cache ${folder}/cache`;
const packageBytesMax = 200_000_000;
const lockBytesMax = 100_000_000;
/** Neither a shell nor YAML gives these characters a meaning. */
const plainPath = /^[A-Za-z0-9_][\w./+-]*$/;
const plainAddress = /^https:\/\/[A-Za-z0-9][A-Za-z0-9.:-]*\/[\w./~%+-]+$/;
const digestShape = /^[0-9a-f]{64}$/i;

/** @throws CliError if nothing verifiable is named. */
export async function programOf(
  cwd: string,
  service: string,
  { package: source, sha256 }: PackageOptions,
): Promise<CiProgram> {
  if (source === undefined) return await ofLockFile(cwd, service);
  if (/^[a-z][a-z0-9+.-]*:/i.test(source)) return ofAddress(source, sha256);
  return await ofRepository(cwd, source, sha256);
}

async function ofLockFile(cwd: string, service: string): Promise<CiProgram> {
  const text = await readBoundedText(path.join(cwd, 'package-lock.json'), {
    maxBytes: lockBytesMax,
    within: cwd,
  }).catch((error: unknown) => {
    if (error instanceof FileRefusal && error.code === 'missing') return undefined;
    throw new CliError(`package-lock.json cannot be read: ${error instanceof Error ? error.message : '?'}.`);
  });
  if (text === undefined || !isLocked(text))
    throw new CliError(
      `Nothing was written: a workflow that runs ${name} by its name alone would give the client secret to whoever registers that name.`,
      [
        'Do one of these:',
        `  add ${name} from your registry to package.json, and commit package-lock.json`,
        `${typedLine(advice.initCi(service, '--package', 'tools/identity-queries.tgz'))}     (a file of this repository)`,
        `${typedLine(advice.initCi(service, '--package'))} https://... --sha256 DIGEST    (a released .tgz)`,
      ],
    );
  return { install: [`npm ci --ignore-scripts ${cache}`], command: `npx --no ${name}` };
}

/** Returns whether `npm ci` would install the program and verify its bytes. @throws CliError */
function isLocked(text: string): boolean {
  const found = packagesOf(text)[`node_modules/${name}`];
  return (
    typeof found?.integrity === 'string' &&
    /^sha(?:256|384|512)-/.test(found.integrity) &&
    found.link !== true
  );
}

type LockedPackages = Readonly<Record<string, { readonly integrity?: unknown; readonly link?: unknown }>>;

function packagesOf(text: string): LockedPackages {
  try {
    const { packages } = JSON.parse(text) as { packages?: LockedPackages | null }; // its members are checked by use
    if (typeof packages === 'object' && packages !== null) return packages;
  } catch {
    // The same as JSON of another kind.
  }
  throw new CliError('package-lock.json is no lock file of npm. Write it again with: npm install');
}

function ofAddress(address: string, sha256: string | undefined): CiProgram {
  if (!plainAddress.test(address))
    throw new CliError(
      'The address of the package must start with https:// and contain neither a user, a query nor unusual characters.',
    );
  if (sha256 === undefined || !digestShape.test(sha256))
    throw new CliError('A package from an address needs --sha256 with its digest, 64 hexadecimal digits.');
  const file = `${folder}/${name}.tgz`;
  return installed(file, sha256, [
    `mkdir ${folder}`,
    `curl --fail --silent --show-error --location --proto =https --output ${file} ${address}`,
  ]);
}

async function ofRepository(cwd: string, source: string, sha256: string | undefined): Promise<CiProgram> {
  const file = path.posix.normalize(source.split(path.sep).join('/'));
  if (!plainPath.test(file) || file.split('/').includes('..'))
    throw new CliError(`"${source}" is no plain path of a file in this folder.`);
  const bytes = await readBounded(path.join(cwd, file), { maxBytes: packageBytesMax, within: cwd }).catch(
    (error: unknown) => {
      const reason = error instanceof FileRefusal ? error.message : 'for an unknown reason';
      throw new CliError(`"${source}" cannot be read: ${reason}.`, [], { cause: error });
    },
  );
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== undefined && sha256.toLowerCase() !== digest)
    throw new CliError(`"${source}" has another digest: ${digest}.`);
  if (/\.[cm]?js$/.test(file)) return { install: [verified(file, digest)], command: `node ${file}` };
  if (/\.tgz$/.test(file)) return installed(file, digest, []);
  throw new CliError(`"${source}" is neither a package (.tgz) nor a program (.js).`);
}

function installed(file: string, digest: string, fetched: readonly string[]): CiProgram {
  return {
    install: [
      // Packages that the repository already has there would be used without being verified.
      `rm -rf ${folder}`,
      ...fetched,
      verified(file, digest),
      `npm install --prefix ${folder} ${cache} --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --offline ./${file}`,
    ],
    command: `${folder}/node_modules/.bin/${name}`,
  };
}

const verified = (file: string, digest: string): string =>
  `echo '${digest.toLowerCase()}  ${file}' | sha256sum --check --status`;
