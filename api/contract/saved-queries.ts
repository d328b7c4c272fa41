/** Saved queries (specification, SavedQuery). Field names match the wire format. */
import { Type, type Static } from 'typebox';
import { defaultModel, limits } from './limits.ts';
import { ListOf } from './lists.ts';

/** The user or service client that wrote a query. The specification lists no types other than `user`. */
export const Principal = Type.Object({ type: Type.String(), id: Type.String() });
export type Principal = Static<typeof Principal>;

const name = Type.String({
  minLength: limits.savedQueryNameMin,
  maxLength: limits.savedQueryNameMax,
  description: 'Unique within the tenant. Not case-sensitive.',
});
const queryString = Type.String({
  minLength: limits.queryStringMin,
  maxLength: limits.queryStringMax,
  description: 'SQL, stored verbatim and not checked when saved: it may be a draft.',
});
const model = Type.String({ description: 'The semantic model the query is written for.' });
const description = Type.String({
  maxLength: limits.descriptionMax,
  description: 'Free text beside the query.',
});

export const SavedQuery = Type.Object({
  query_id: Type.String({ description: 'Opaque and stable: clients key on it, never on the name.' }),
  name,
  query_string: queryString,
  model: { ...model, default: defaultModel },
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  created_by: Type.Optional(Principal),
  last_modified_by: Type.Optional(Principal),
  version: Type.Integer({ minimum: 1, description: '1 on create, one more on every update.' }),
  created_at: Type.Optional(Type.String({ format: 'date-time' })),
  last_modified_at: Type.Optional(Type.String({ format: 'date-time' })),
});
export type SavedQuery = Static<typeof SavedQuery>;

export const SavedQueryList = ListOf(SavedQuery);
export type SavedQueryList = Static<typeof SavedQueryList>;

/** A saved query in a list, where a service may omit the text (assumption `saved-query-list`). */
export const SavedQuerySummary = Type.Object({
  ...SavedQuery.properties,
  query_string: Type.Optional(queryString),
});
export type SavedQuerySummary = Static<typeof SavedQuerySummary>;

export const SavedQuerySummaryList = ListOf(SavedQuerySummary);

export const SavedQueryCreate = Type.Object(
  {
    name,
    query_string: queryString,
    model: Type.Optional(model),
    description: Type.Optional(description),
  },
  { additionalProperties: false },
);
export type SavedQueryCreate = Static<typeof SavedQueryCreate>;

/**
 * An update applies only if `expected_version` is still the record's version (assumption `update`). An omitted model
 * or description stays unchanged; an empty description clears it.
 */
export const SavedQueryUpdate = Type.Object(
  {
    name,
    query_string: queryString,
    model: Type.Optional(model),
    description: Type.Optional(description),
    expected_version: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
);
export type SavedQueryUpdate = Static<typeof SavedQueryUpdate>;

export const SavedQueryPath = Type.Object({ query_id: Type.String({ minLength: 1 }) });
