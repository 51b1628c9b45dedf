import { gzipSync } from 'node:zlib';
import { jsonText, packedJson } from '../../platform/http/reply.ts';
import type { RoutedEvent } from '../../platform/http/event.ts';
import { countWork, type CountWorkPorts } from '../../limits/steps/count-work.ts';
import { requireSession } from '../../accounts/steps/require-session.ts';
import type { requireOperator } from '../../accounts/steps/operator/require-operator.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';
import * as z from 'zod';
import { accountRouteDescriptions, consoleRouteDescriptions } from './account-routes.ts';
import { type Described, openApiDocument } from '../../api/openapi.ts';
import { type ApiRoute, publicRoute } from '../../api/route.ts';
import type { PortsOf } from '../../platform/ports.ts';

export type SelfDescriptionPorts = PortsOf<typeof requireOperator> & CountWorkPorts;

/**
 * OpenAPI description of these routes and of those served elsewhere. Routes for operators are described to operators
 * only.
 * Source: docs/decisions/accounts.md, "Operators at the console".
 */
export const selfDescription = (
  ports: SelfDescriptionPorts,
  others: readonly (Described & Pick<ApiRoute, 'isHidden'>)[],
): ApiRoute => {
  const madeOf = (wanted: readonly Described[]): Made => {
    const text = JSON.stringify(
      openApiDocument(ports.settings.baseUrl, [
        ...accountRouteDescriptions,
        ...consoleRouteDescriptions,
        ...wanted,
        route,
      ]),
    );
    return { text, packed: gzipSync(text).toString('base64') };
  };
  const made: { everybody?: Made; operators?: Made } = {};
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
    handle: async ({ event }) => {
      const { text, packed } = (await isOperator(ports, event))
        ? (made.operators ??= madeOf(others))
        : (made.everybody ??= madeOf(others.filter(({ isHidden }) => !isHidden)));
      return acceptsGzip(event) ? packedJson(packed) : jsonText(200, text);
    },
  });
  return route;
};

/** The JSON has 400 KB; compressed once, about a tenth, for every reader. */
interface Made {
  readonly text: string;
  readonly packed: string;
}

const acceptsGzip = ({ headers }: RoutedEvent): boolean =>
  (headers['accept-encoding'] ?? '').split(',').some((one) => one.trim() === 'gzip');

/** False for a missing or ended session. */
const isOperator = async (
  ports: SelfDescriptionPorts,
  { headers: { authorization } }: RoutedEvent,
): Promise<boolean> => {
  if (authorization === undefined) return false;
  const user = await requireSession(ports, authorization).catch((error: unknown) => {
    if (error instanceof ApiRefusal || error instanceof RouterRefusal) return undefined;
    throw error;
  });
  if (!user) return false;
  await countWork(ports, 'management_requests_per_minute_per_user', user.id);
  return ports.operatorMarks.has(user.id);
};
