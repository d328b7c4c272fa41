/**
 * The software bill of materials: what the bundles hold, as CycloneDX 1.6. Everything shipped is a bundled development
 * dependency, so tools that read package.json would list what is not there.
 */
import { readFileSync } from 'node:fs';
import { bundledPackages, compiledIn } from './notices.js';
import { fromRoot } from './paths.js';

/** @typedef {{ name: string, version: string, license: string, description?: string }} PackageManifest */

/**
 * @param {{ timestamp: string }} options `timestamp`: ISO 8601, of the commit, so that two builds are the same
 * @returns {object}
 */
export function softwareBill({ timestamp }) {
  const { name, version, license } = manifestOf('.');
  const components = bundledPackages()
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
    // What was compiled into its WebAssembly; their versions are the package's to know.
    ...(parts.length > 0 && {
      components: parts.map((part) => ({ 'bom-ref': `${purl}#${part}`, type: 'library', name: part })),
    }),
  };
}

/** @param {{ name: string, version: string }} manifest the package URL, with the scope's `@` escaped */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

/** @param {string} folder @returns {PackageManifest} */
function manifestOf(folder) {
  return JSON.parse(readFileSync(fromRoot(folder, 'package.json'), 'utf8'));
}
