/** The semantic models (specification, "SemanticModel"). */
import { json, type Route } from './exchange.ts';

export const models = [
  { name: 'platform_identity', description: 'Accounts, roles and access.' },
  { name: 'platform_governance', description: 'Reviews and requests.' },
] as const;

export const modelRoutes: readonly Route[] = [
  { method: 'GET', path: '/v1/schema/models', scope: 'read', answer: () => json(200, { models }) },
];
