/** GET /v1/schema/models, and validation of model names for saving and running. */
import type { FastifyInstance } from 'fastify';
import { endpoints } from '#api/contract/endpoints.ts';
import { ServiceError } from '../errors.ts';
import { defineRoute } from '../route.ts';

const models = [
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
] as const;

export function registerModelRoutes(app: FastifyInstance): void {
  defineRoute(app, endpoints.listModels, () => ({ models: models.map((model) => ({ ...model })) }));
}

export function checkModel(name: string): void {
  const available = models.map((model) => model.name as string);
  if (available.includes(name)) return;
  throw new ServiceError(
    'BAD_REQUEST',
    `There is no model "${name.slice(0, 80)}". Available: ${available.join(', ')}.`,
    { details: { field: 'model', model: name.slice(0, 200), available } },
  );
}
