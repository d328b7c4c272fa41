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

export interface Models {
  list(): readonly SemanticModel[];
  /**
   * Returns the model that a request means.
   * @throws ServiceError if there is no such model.
   */
  resolve(name: string | undefined): string;
}

/**
 * @param list called each time, since the models of a database can change. Without a model marked as the default, it is
 * the contract's.
 */
export function modelsOf(list: () => readonly SemanticModel[]): Models {
  return {
    list,
    resolve(name = defaultModel) {
      const models = list();
      const available = models.map((model) => model.name);
      if (available.includes(name)) return name;
      // Clients send the contract's default for a query that names no model.
      const marked = models.find((model) => model.default === true);
      if (name === defaultModel && marked !== undefined) return marked.name;
      throw new ServiceError(
        'BAD_REQUEST',
        `There is no model "${name.slice(0, 80)}". Available: ${available.join(', ')}.`,
        { details: { field: 'model', model: name.slice(0, 200), available } },
      );
    },
  };
}

export const modelsOfSandbox = modelsOf(() => sandboxModels);

/** @param refresh brings the models up to date before they are listed */
export function registerModelRoutes(
  app: FastifyInstance,
  models: Models,
  refresh: () => Promise<void> = () => Promise.resolve(),
): void {
  defineRoute(app, endpoints.listModels, async () => {
    await refresh();
    return { models: models.list().map((model) => ({ ...model })) };
  });
}
