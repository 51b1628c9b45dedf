import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  accountRouteDescriptions,
  consoleRouteDescriptions,
} from '../../../layers/management/routes/account-routes.ts';
import {
  accountRoutes,
  consoleRoutes,
} from '../../../layers/oauth/routes/authorization/browser-routes.ts';
import { siteOf } from '../../../layers/accounts/routes/site.ts';
import { routesOf } from '../../../layers/management/routes/server.ts';
import { readDescription } from '../../../layers/openapi/intake/read-description.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import { anOAuthService, type TestOAuth } from '../../support/oauth/oauth.ts';
import {
  aManagementService,
  BASE_URL,
  type TestManagement,
} from '../../support/service/management.ts';

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: object }>> };
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: object }> }>>;
};
type Document = {
  readonly openapi: string;
  readonly servers: readonly { url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
};

interface Form {
  readonly required?: readonly string[];
  readonly anyOf?: readonly Form[];
}
type Content = Readonly<Record<'application/json', { schema: Form }>>;

let service: TestManagement;
let oauth: TestOAuth;
let document: Document;
beforeAll(async () => {
  [service, oauth] = await Promise.all([aManagementService(), anOAuthService()]);
  const as = await service.owner({ operator: true });
  document = (await service.call('GET', '/openapi.json', { as })).body as unknown as Document;
});
afterAll(() => Promise.all([service.stop(), oauth.stop()]));

const routesElsewhere = () => {
  const site = siteOf(BASE_URL);
  const routes = { ...accountRoutes(oauth.ports, site), ...consoleRoutes(oauth.ports, site) };
  return Object.entries(routes).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method} ${path.replace(/^\/v1\/mcp-(?:management|oauth-server)/, '')}`,
    ),
  );
};

const postTo = (path: string, body: object, server = 'mcp-management'): HttpEvent => ({
  rawPath: `/v1/${server}${path}`,
  headers: { 'content-type': 'application/json', origin: new URL(BASE_URL).origin },
  body: JSON.stringify(body),
  isBase64Encoded: false,
  requestContext: { requestId: 'r', http: { method: 'POST', sourceIp: '203.0.113.7' } },
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([key]) => METHODS.includes(key))
      .map(([method, operation]) => ({ method, path, operation })),
  );

describe('GET /openapi.json of the management API', () => {
  test('is public and names the URL of the API', () => {
    expect(document).toMatchObject({
      openapi: '3.1.1',
      servers: [{ url: `${BASE_URL}/mcp-management` }],
    });
  });

  test('describes exactly the routes of the API', () => {
    const own = routesOf(service.ports).map(({ method, path }) => `${method} ${path}`);
    const routes = [...own, ...routesElsewhere()];
    const described = operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`);

    expect(described.sort()).toEqual(routes.sort());
  });

  /** Of one that has several forms, those of the first: the others say which they are by what they have. */
  const requiredOf = ({ required, anyOf }: Form): readonly string[] | undefined =>
    required ?? anyOf?.[0]?.required;

  test('requires the same fields as the OAuth function at its account routes', async () => {
    const described = [...accountRouteDescriptions, ...consoleRouteDescriptions];
    for (const { path, body, server } of described) {
      if (!body) continue;
      const { schema } = (body.described['content'] as Content)['application/json'];
      const answer = await oauth.send(postTo(path, {}, server && 'mcp-oauth-server'));
      const { findings = [] } = JSON.parse(answer.body) as {
        findings?: readonly { where: string }[];
      };
      expect([path, findings.map(({ where }) => where.slice(1)).sort()]).toEqual([
        path,
        [...(requiredOf(schema) ?? [])].sort(),
      ]);
    }
  });

  test('names the server and the cookie of what is not of this API', () => {
    expect(document.paths['/console/token']).toMatchObject({
      servers: [{ url: `${BASE_URL}/mcp-oauth-server` }],
      post: { security: [{ browser: [] }] },
    });
    expect(document.components).toMatchObject({
      securitySchemes: { browser: { in: 'cookie', name: '__Host-mcp-session' } },
    });
  });

  test('gives each operation a unique operationId', () => {
    const names = operations().map(({ operation }) => operation.operationId);

    expect(new Set(names).size).toBe(names.length);
  });

  test('can itself be published without a warning', () => {
    const text = JSON.stringify(document);
    const read = readDescription(text, { maxBytes: text.length, maxDepth: 20 });

    expect(read.warnings).toEqual([]);
    expect(read.operations).toHaveLength(operations().length);
  });

  test('contains only strict JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      validateFormats: false,
    });
    const schemas = operations().flatMap(({ operation }) => [
      ...Object.values(operation.requestBody?.content ?? {}),
      ...Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content)),
    ]);

    expect(schemas.length).toBeGreaterThan(10);
    for (const { schema } of schemas) expect(() => ajv.compile(schema)).not.toThrow();
  });

  test('describes each path parameter', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = (item['parameters'] ?? []) as unknown as readonly { name: string }[];
      expect(described.map(({ name }) => name)).toEqual(places);
    }
  });

  test('describes the headers that a route supports', () => {
    const headersOf = (path: string, method: string) =>
      (document.paths[path]?.[method]?.parameters ?? [])
        .filter(({ in: place }) => place === 'header')
        .map(({ name }) => name);

    expect(headersOf('/deployments', 'post')).toEqual(['Idempotency-Key']);
    expect(headersOf('/deployments/{slug}', 'patch')).toEqual(['If-Match']);
  });
});
