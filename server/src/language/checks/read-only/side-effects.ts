/**
 * Determines the side effects of a query's function calls. According to PostgreSQL's catalog, immutable and stable
 * functions only compute, and volatile functions may do more; manual reviews (effects/) override that. Functions
 * outside PostgreSQL and known extensions are unknown.
 */
import { knownExtensions } from './effects/extension-functions.ts';
import { builtIn, mixedVolatility, ofExtensions, volatileViews } from './effects/function-catalogue.ts';
import {
  effectsOfOlderVersions,
  effectsOfStable,
  effectsOfVolatile,
  harmlessVolatile,
  type Effect,
} from './effects/reviewed-functions.ts';
import type { SideEffect } from './side-effect-labels.ts';

/** The effect of a call: none, a side effect (worded as the end of a sentence), or unknown. */
export type Nature = 'harmless' | 'unknown' | { readonly does: SideEffect };

const wordsOf = (...lists: readonly (string | undefined)[]): readonly string[] =>
  lists.flatMap((names) => names?.split(/\s+/) ?? []).filter((name) => name !== '');

/** Maps function names to effects. A trailing asterisk is a wildcard; the first match wins. */
class NameTable {
  readonly #exact = new Map<string, Nature>();
  readonly #beginnings: (readonly [string, Nature])[] = [];

  add(names: readonly string[], nature: Nature): void {
    for (const name of names) {
      if (name.endsWith('*')) {
        this.#beginnings.push([name.slice(0, -1), nature]);
      } else if (!this.#exact.has(name)) {
        this.#exact.set(name, nature);
      }
    }
  }

  addEffects(effects: readonly Effect[]): void {
    for (const { does, names } of effects) this.add(wordsOf(names), { does });
  }

  get(name: string): Nature | undefined {
    return this.#exact.get(name) ?? this.#beginnings.find(([beginning]) => name.startsWith(beginning))?.[1];
  }
}

const generalWords = 'may have side effects: PostgreSQL does not declare it free of them';

const ofPostgres = postgresTable();
const ofOlderPostgres = new NameTable();
ofOlderPostgres.addEffects(effectsOfOlderVersions);
const ofAnyExtension = extensionTable();

function postgresTable(): ReadonlyMap<string, Nature> {
  const reviewed = new NameTable();
  reviewed.add(wordsOf(harmlessVolatile), 'harmless');
  reviewed.addEffects(effectsOfVolatile);
  const ofStable = new NameTable();
  ofStable.addEffects(effectsOfStable);
  const table = new Map<string, Nature>();
  const { immutable, stable } = ofExtensions['information_schema'] ?? {};
  for (const name of wordsOf(builtIn.immutable, builtIn.stable, immutable, stable))
    table.set(name, ofStable.get(name) ?? 'harmless');
  for (const name of wordsOf(builtIn.volatile)) table.set(name, reviewed.get(name) ?? { does: generalWords });
  return table;
}

function extensionTable(): NameTable {
  const table = new NameTable();
  const isBeginning = (name: string): boolean => name.endsWith('*');
  const harmless = knownExtensions.flatMap((extension) => wordsOf(extension.harmless));
  table.add(
    harmless.filter((name) => !isBeginning(name)),
    'harmless',
  );
  for (const { effects } of knownExtensions) table.addEffects(effects ?? []);
  for (const { immutable, stable, volatile } of Object.values(ofExtensions)) {
    const unnamed = wordsOf(volatile).filter((name) => table.get(name) === undefined);
    table.add(unnamed, { does: generalWords });
    table.add(wordsOf(immutable, stable), 'harmless');
  }
  table.add(harmless.filter(isBeginning), 'harmless');
  return table;
}

/** Schemas that may contain extensions: their own schemas and the usual ones. */
const homes: ReadonlySet<string> = new Set([
  'public',
  'extensions',
  ...Object.keys(ofExtensions),
  ...knownExtensions.flatMap(({ name, schemas }) => [name, ...wordsOf(schemas)]),
]);

/** For each extension's schema, the effect of functions without an entry. */
const bySchema: ReadonlyMap<string, Nature> = new Map(
  knownExtensions.flatMap(({ schemas, restDoes }) =>
    restDoes === undefined
      ? []
      : wordsOf(schemas).map((schema): [string, Nature] => [schema, { does: restDoes }]),
  ),
);

interface Known {
  readonly own: ReadonlySet<string>;
  readonly ofExtensions: ReadonlySet<string>;
}

const types: Known = {
  own: new Set(wordsOf(builtIn.types)),
  ofExtensions: new Set(
    wordsOf(
      ...Object.values(ofExtensions).map((names) => names.types),
      ...knownExtensions.map((extension) => extension.types),
    ),
  ),
};

const operators: Known = {
  own: new Set(wordsOf(builtIn.operators)),
  ofExtensions: new Set(
    wordsOf(
      ...Object.values(ofExtensions).map((names) => names.operators),
      ...knownExtensions.map((extension) => extension.operators),
    ),
  ),
};

const samplingMethods: ReadonlySet<string> = new Set(
  wordsOf('bernoulli system', ...knownExtensions.map((extension) => extension.samplingMethods)),
);

const isOwnSchema = (schema: string | undefined): schema is undefined | 'pg_catalog' | 'information_schema' =>
  schema === undefined || schema === 'pg_catalog' || schema === 'information_schema';

/**
 * Returns the effect of a function, named as in the catalog. A function in another schema is unknown unless it belongs
 * to an extension.
 */
export function natureOfFunction(name: string, schema?: string): Nature {
  const own = isOwnSchema(schema) ? (ofPostgres.get(name) ?? ofOlderPostgres.get(name)) : undefined;
  if (own !== undefined) return own;
  const ofExtension = ofAnyExtension.get(name);
  if (
    ofExtension !== undefined &&
    (ofExtension !== 'harmless' || schema === undefined || (homes.has(schema) && !ofPostgres.has(name)))
  ) {
    return ofExtension;
  }
  // Calling a type as a function is a cast.
  const isCast = isOwnSchema(schema) && isIn(types, name, schema);
  return bySchema.get(schema ?? '') ?? (isCast ? 'harmless' : 'unknown');
}

/** Returns whether PostgreSQL, but no known extension or older version, has a function of this name. */
export const isOnlyOfPostgres = (name: string): boolean =>
  ofPostgres.has(name) && ofOlderPostgres.get(name) === undefined && ofAnyExtension.get(name) === undefined;

const volatileCounts: ReadonlyMap<string, readonly number[]> = new Map(
  wordsOf(mixedVolatility).map((entry) => {
    const [name = '', counts = ''] = entry.split(':');
    return [name, counts.split(',').map(Number)];
  }),
);

/** Returns the argument counts for which a function is volatile; undefined unless that depends on the count. */
export const volatileArgumentCounts = (name: string): readonly number[] | undefined =>
  volatileCounts.get(name);

const views: ReadonlyMap<string, SideEffect> = new Map(
  wordsOf(volatileViews).flatMap((entry) => {
    const [view = '', called = ''] = entry.split(':');
    const nature = ofPostgres.get(called);
    return typeof nature === 'object' ? [[view, nature.does] as const] : [];
  }),
);

/** Returns the side effect of reading a PostgreSQL view, caused by a function it calls; undefined if there is none. */
export const effectOfView = (name: string, schema?: string): SideEffect | undefined =>
  isOwnSchema(schema) ? views.get(name) : undefined;

/**
 * A name counts only in PostgreSQL's own schemas or an extension's: the same name elsewhere is user-defined. A name of
 * PostgreSQL, such as `public.=`, is user-defined there, too: who means an extension's leaves the schema out.
 */
const isIn = (known: Known, name: string, schema: string | undefined): boolean =>
  isOwnSchema(schema)
    ? known.own.has(name) || known.ofExtensions.has(name)
    : homes.has(schema) && known.ofExtensions.has(name) && !known.own.has(name);

/**
 * Returns whether the type, or its element type, belongs to PostgreSQL or a known extension. Those have no side
 * effects.
 */
export const isKnownType = (name: string, schema?: string): boolean =>
  isIn(types, name, schema) || isIn(types, name.replace(/^_/, ''), schema);

export const isKnownOperator = (symbol: string, schema?: string): boolean => isIn(operators, symbol, schema);

export const isKnownSamplingMethod = (name: string, schema: string | undefined): boolean =>
  samplingMethods.has(name) && (isOwnSchema(schema) || homes.has(schema));
