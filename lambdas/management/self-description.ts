import { apiReply } from '@hosted-mcp/core/http';
import type { Settings } from '@hosted-mcp/core/management';
import * as z from 'zod';
import { accountRouteDescriptions } from './account-routes.ts';
import { consoleRouteDescriptions } from './console-routes.ts';
import type { JsonSchema } from './frame/body.ts';
import { type Described, openApiDocument } from './frame/openapi.ts';
import { type ApiRoute, publicRoute } from './frame/route.ts';

/** The API's description of itself, of these routes and of what is served elsewhere. */
export const selfDescription = ({ baseUrl }: Settings, others: readonly Described[]): ApiRoute => {
  let described: JsonSchema | undefined;
  const route: ApiRoute = publicRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getDescription',
    tag: 'description',
    summary: 'This description.',
    answers: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        schema: z.looseObject({ openapi: z.string() }),
      },
    },
    handle: () =>
      apiReply(
        200,
        (described ??= openApiDocument(baseUrl, [
          ...accountRouteDescriptions,
          ...consoleRouteDescriptions,
          ...others,
          route,
        ])),
      ),
  });
  return route;
};
