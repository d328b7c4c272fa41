/** GET /v1/schema/models, and validation of model names for saving and running. */
import type { FastifyInstance } from 'fastify';
import { endpoints } from '#api/contract/endpoints.ts';
import { defaultModel } from '#api/contract/limits.ts';
import type { SemanticModel } from '#api/contract/models.ts';
import { ServiceError } from '../errors.ts';
import { defineRoute } from '../route.ts';

const sandboxModels: readonly SemanticModel[] = [
  {
    name: 'platform_identity',
    description:
      'Accounts, roles, authenticators, enrollments, activities and access assignments of every connected application, one table for each collection.',
  },
  {
    name: 'platform_governance',
    description:
      'Access prepared for reviews: access with its owner and last use, privileged access, accounts with their people.',
  },
];

/** The models of a service. */
export interface Models {
  list(): readonly SemanticModel[];
  /** The model of queries that name none. */
  defaultName(): string;
  /** @throws ServiceError if there is no such model. */
  check(name: string): void;
}

/** @param list called each time, since the models of a database can change */
export function modelsOf(list: () => readonly SemanticModel[], defaultName = () => defaultModel): Models {
  return {
    list,
    defaultName,
    check(name) {
      const available = list().map((model) => model.name);
      if (available.includes(name)) return;
      throw new ServiceError(
        'BAD_REQUEST',
        `There is no model "${name.slice(0, 80)}". Available: ${available.join(', ')}.`,
        { details: { field: 'model', model: name.slice(0, 200), available } },
      );
    },
  };
}

export const modelsOfSandbox = modelsOf(() => sandboxModels);

export function registerModelRoutes(app: FastifyInstance, models: Models): void {
  defineRoute(app, endpoints.listModels, () => ({ models: models.list().map((model) => ({ ...model })) }));
}
