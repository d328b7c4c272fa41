/** GET /openapi.json: the contract for other tools. It is public, since it contains no secrets. */
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '#api/contract/openapi.ts';
import type { SandboxOptions } from '../options.ts';
import { tokenPath } from './token.ts';

export function registerOpenApiRoute(app: FastifyInstance, options: Pick<SandboxOptions, 'baseUrl'>): void {
  app.get('/openapi.json', () => {
    const { baseUrl } = options;
    return openApiDocument({ baseUrl, authUrl: `${baseUrl}${tokenPath}` });
  });
}
