import { sessionCookie } from '../platform/http/cookies.ts';
import { authorizationServer, management } from '../platform/rules/addresses.ts';
import { termsOf } from '../accounts/rules/token-scopes.ts';
import { mayNeedMore, scopeFor } from './check-token.ts';
import * as z from 'zod';
import { type JsonSchema, schemaOf } from './body.ts';
import type { ApiRoute, DescribedAnswer } from './route.ts';

export type Described = Omit<ApiRoute, 'handle'> & {
  /** Set for routes of the authorization server, which take the browser's cookie. */
  readonly server?: 'authorization';
};

/**
 * OpenAPI description of this API, derived from its routes. Source: OpenAPI 3.1.1; docs/decisions/management.md, "The
 * management API".
 */
export const openApiDocument = (baseUrl: string, routes: readonly Described[]): JsonSchema => ({
  openapi: '3.1.1',
  info: {
    title: 'Hosted MCP management API',
    version: '1',
    description:
      'Turns descriptions of REST APIs into MCP servers, and manages them. Errors are problem ' +
      'documents (RFC 9457) with a stable `code`.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: management(baseUrl) }],
  tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
  security: [{ session: [] }],
  paths: Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, methods]) => [
      path,
      {
        ...(methods.some(({ server }) => server) && {
          servers: [{ url: authorizationServer(baseUrl) }],
        }),
        ...parametersOf(path),
        ...Object.fromEntries(methods.map((one) => [one.method.toLowerCase(), operationOf(one)])),
      },
    ]),
  ),
  components: {
    securitySchemes: {
      session: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The `access_token` of POST /sessions.',
      },
      browser: {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookie(baseUrl).name,
        description: 'Of who signed in on the pages; taken from pages of this service alone.',
      },
    },
    schemas: { Problem: PROBLEM },
    responses: {
      Problem: {
        description: 'Refused: `code` says why.',
        content: { 'application/problem+json': { schema: ref('schemas/Problem') } },
      },
    },
  },
});

const ref = (name: string) => ({ $ref: `#/components/${name}` });

const PROBLEM: JsonSchema = schemaOf(
  z.object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: 'Stable: for programs.' }),
    detail: z.string().meta({ description: 'For people.' }),
    findings: z
      .array(
        z.object({
          where: z.string().meta({ description: 'A JSON pointer into what was sent, or a line.' }),
          what: z.string(),
          hint: z.string(),
        }),
      )
      .optional(),
    limit: z.string().optional().meta({ description: 'The name of the limit that was reached.' }),
  }),
  'input',
);

const parametersOf = (path: string) => {
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (places.length === 0) return {};
  const parameters = places.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return { parameters };
};

const operationOf = (route: Described) => {
  const parameters = [...queryOf(route), ...headersOf(route)];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(!route.isPublic && { description: tokensText(route), ...tokensMembers(route) }),
    ...(route.isPublic && { security: [] }),
    ...(!route.isPublic && route.server && { security: [{ browser: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: route.body.described }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [status, responseOf(answer)]),
      ),
      default: {
        ...ref('responses/Problem'),
      },
    },
  };
};

/** Helps to choose the scope of a token. Source: docs/decisions/accounts.md, "What a token may cause". */
const tokensText = (route: Described): string => {
  const scope = scopeFor(route);
  if (scope === 'never') return 'For people who are signed in, and for no personal access token.';
  const more = mayNeedMore(route).map(
    ([effect, needs]) => ` Where it ${termsOf(effect).does}: \`${needs}\`.`,
  );
  return `Scope of a personal access token: \`${scope}\`.${more.join('')}`;
};

const tokensMembers = (route: Described) => ({
  'x-token-scope': scopeFor(route),
  'x-effects': [...route.effects],
});

const queryOf = ({ query }: Described) => {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
};

const headersOf = ({ idempotent, conditional }: Described) => [
  ...(idempotent
    ? [
        header(
          'Idempotency-Key',
          'Names the request for a day: a repetition gets the first answer.',
        ),
      ]
    : []),
  ...(conditional
    ? [header('If-Match', 'The ETag that the change is meant for; any if omitted.')]
    : []),
];

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

const responseOf = ({ description, schema, headers, mediaType }: DescribedAnswer) => ({
  description,
  ...(headers && {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [
        name,
        { description: text, schema: { type: 'string' } },
      ]),
    ),
  }),
  ...(schema && {
    content: { [mediaType ?? 'application/json']: { schema: schemaOf(schema, 'output') } },
  }),
});
