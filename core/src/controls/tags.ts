/** Tags of controls, and filters that match them: `soc2=CC6` matches every criterion below CC6. */
import { tagText, type Tag } from '#server/language/text/control-directives.ts';

export { tagText, type Tag };

/** Frameworks as people write them; other names stay as they are. */
const frameworks: ReadonlyMap<string, string> = new Map([
  ['soc2', 'SOC 2'],
  ['iso27001', 'ISO 27001'],
  ['iso27002', 'ISO 27002'],
  ['nist', 'NIST'],
  ['nist-800-53', 'NIST 800-53'],
  ['nist-csf', 'NIST CSF'],
  ['pci', 'PCI DSS'],
  ['pci-dss', 'PCI DSS'],
  ['cis', 'CIS'],
  ['hipaa', 'HIPAA'],
  ['sox', 'SOX'],
  ['gdpr', 'GDPR'],
  ['dora', 'DORA'],
  ['nis2', 'NIS 2'],
]);

export const frameworkWords = (name: string): string => frameworks.get(name.toLowerCase()) ?? name;

/** Returns a tag as people write it, for example `SOC 2 CC6.3`. Files and filters keep `soc2=CC6.3`. */
export function tagWords({ name, value }: Tag): string {
  return value === undefined ? frameworkWords(name) : `${frameworkWords(name)} ${value}`;
}

/**
 * Returns whether one of the tags matches `wanted`. A tag without a value matches any value; `CC6` matches `CC6.1` but
 * not `CC61`. Case-insensitive.
 */
export function hasTag(tags: readonly Tag[], wanted: Tag): boolean {
  return tags.some(({ name, value = '' }) => {
    if (name.toLowerCase() !== wanted.name.toLowerCase()) return false;
    const sought = wanted.value?.toLowerCase();
    const found = value.toLowerCase();
    return (
      sought === undefined ||
      found === sought ||
      (found.startsWith(sought) && /^[^a-z0-9]/.test(found.slice(sought.length)))
    );
  });
}
