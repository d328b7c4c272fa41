/**
 * The software bill of materials for the bundles, as CycloneDX 1.6. All shipped code is bundled from development
 * dependencies, so tools that read package.json would list the wrong packages.
 */
import { readFileSync } from 'node:fs';
import { bundledPackages, compiledIn } from './notices.js';
import { fromRoot } from './paths.js';

/** @typedef {{ name: string, version: string, license: string, description?: string }} PackageManifest */

/**
 * @param {{ timestamp: string, packages?: readonly string[] }} options
 *   `timestamp`: the commit's time as ISO 8601, so that two builds are identical.
 *   `packages`: the folders of the bundled packages, if known.
 * @returns {object}
 */
export function softwareBill({ timestamp, packages = bundledPackages() }) {
  const { name, version, license } = manifestOf('.');
  const components = packages
    .map(manifestOf)
    .sort((one, other) => (purlOf(one) < purlOf(other) ? -1 : 1))
    .map(componentOf);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp,
      component: {
        'bom-ref': purlOf({ name, version }),
        type: 'application',
        name,
        version,
        licenses: [{ license: { id: license } }],
        purl: purlOf({ name, version }),
      },
    },
    components,
    dependencies: [
      { ref: purlOf({ name, version }), dependsOn: components.map((component) => component['bom-ref']) },
    ],
  };
}

/** @param {PackageManifest} manifest */
function componentOf({ name, version, license }) {
  const parts = compiledIn.find(({ from }) => from === name)?.parts ?? [];
  const purl = purlOf({ name, version });
  return {
    'bom-ref': purl,
    type: 'library',
    name,
    version,
    licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
    // Software compiled into the package's WebAssembly. Only the package itself records its versions.
    ...(parts.length > 0 && {
      components: parts.map((part) => ({ 'bom-ref': `${purl}#${part}`, type: 'library', name: part })),
    }),
  };
}

/**
 * Returns the package URL, with the scope's `@` escaped.
 * @param {{ name: string, version: string }} manifest
 */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

/** @param {string} folder @returns {PackageManifest} */
function manifestOf(folder) {
  return JSON.parse(readFileSync(fromRoot(folder, 'package.json'), 'utf8'));
}
