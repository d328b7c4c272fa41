/**
 * What a service over a database says of it: GET /v1/schema/server. The specification does not have it (assumption
 * `model-columns`): a service that lists the tables of its models has it, and others are not asked.
 */
import { Type, type Static } from 'typebox';

export const ServerDescription = Type.Object({
  engine: Type.String({ description: 'For example `PostgreSQL`.' }),
  version: Type.String({ description: 'For example `18.4`.' }),
  extensions: Type.Array(
    Type.Object({ name: Type.String(), version: Type.String(), schema: Type.Optional(Type.String()) }),
  ),
  types: Type.Array(Type.String(), {
    description: 'Types that the database adds to those of the engine, with their schemas.',
  }),
  functions: Type.Array(Type.String(), {
    description: 'Functions that the database adds and the caller may execute, with their schemas.',
  }),
  settings: Type.Record(Type.String(), Type.String(), {
    description: 'Settings that decide how values look, such as the time zone.',
  }),
  collections: Type.Array(Type.String(), {
    description: 'Collections of records that the service has, for example `accounts`.',
  }),
  exports: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Data sets that the service exports, for example `employees`.',
    }),
  ),
  warnings: Type.Array(Type.String(), {
    description: 'Sentences about what the login can do beyond reading, and what is no boundary.',
  }),
});
export type ServerDescription = Static<typeof ServerDescription>;
