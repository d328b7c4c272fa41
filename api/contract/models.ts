/** Semantic models (specification, SemanticModel; GET /v1/schema/models). */
import { Type, type Static } from 'typebox';

export const SemanticModel = Type.Object({
  name: Type.String({ description: 'Name of the model in queries, for example platform_identity.' }),
  description: Type.String({ default: '' }),
  default: Type.Optional(
    Type.Boolean({
      description: 'Whether this is the model of queries that name none (assumption `model-columns`).',
    }),
  ),
  listsTables: Type.Optional(
    Type.Boolean({
      description: 'Whether the tables of the model can be listed (assumption `model-columns`).',
    }),
  ),
});
export type SemanticModel = Static<typeof SemanticModel>;

/** Unlike other lists, this one is not paged, and its array is called `models`. */
export const SemanticModels = Type.Object({ models: Type.Array(SemanticModel) });
export type SemanticModels = Static<typeof SemanticModels>;
