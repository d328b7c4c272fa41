/** Determines the names to check a query against. */
import { markedModel, type Catalogue } from '#server/language/names/catalogue.ts';
import type { KnownNames } from '#server/language/names/name-context.ts';
import { modelDirective, type Directive } from '#server/language/text/directives.ts';
import { defaultModel, type AnalysisOptions } from '../analysis.ts';

/** Returns undefined if no model's tables are known, so names cannot be resolved. */
export function knownNames(
  { catalogue, model }: AnalysisOptions,
  directives: readonly Directive[],
): KnownNames | undefined {
  const known = catalogue && confirmed(catalogue);
  return known?.models.some(({ tables }) => tables !== undefined) === true
    ? {
        catalogue: known,
        model: modelDirective(directives)?.argument ?? model ?? markedModel(catalogue) ?? defaultModel,
      }
    : undefined;
}

/** Drops tables that the service has not confirmed: they must not prove an error. */
function confirmed(catalogue: Catalogue): Catalogue {
  if (!catalogue.models.some(({ isAssumed }) => isAssumed === true)) return catalogue;
  return {
    models: catalogue.models.map(({ name, description, isDefault, tables, isAssumed }) => ({
      name,
      ...(isDefault === undefined ? {} : { isDefault }),
      ...(description === undefined ? {} : { description }),
      ...(tables === undefined || isAssumed === true ? {} : { tables }),
    })),
  };
}
