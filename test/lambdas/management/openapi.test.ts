import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { routesOf } from '../../../lambdas/management/server.ts';
import { readDescription } from '../../../layers/core/domain/openapi/index.ts';
import { aManagementService, BASE_URL, type TestManagement } from '../../support/management.ts';

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

let service: TestManagement;
let document: Document;
beforeAll(async () => {
  service = await aManagementService();
  document = (await service.call('GET', '/openapi.json')).body as unknown as Document;
});
afterAll(() => service.stop());

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([key]) => METHODS.includes(key))
      .map(([method, operation]) => ({ method, path, operation })),
  );

describe('GET /openapi.json', () => {
  test('is public, and says where the API is', () => {
    expect(document).toMatchObject({
      openapi: '3.1.1',
      servers: [{ url: `${BASE_URL}/mcp-management` }],
    });
  });

  test('holds every route of the table, and no other', () => {
    const routes = routesOf(service.ports).map(({ method, path }) => `${method} ${path}`);
    const described = operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`);

    expect(described.sort()).toEqual(routes.sort());
  });

  test('gives each operation a name of its own', () => {
    const names = operations().map(({ operation }) => operation.operationId);

    expect(new Set(names).size).toBe(names.length);
  });

  test('is a description that this service itself takes, without a warning', () => {
    const text = JSON.stringify(document);
    const read = readDescription(text, { maxBytes: text.length, maxDepth: 20 });

    expect(read.warnings).toEqual([]);
    expect(read.operations).toHaveLength(operations().length);
  });

  test('holds schemas that are strict JSON Schema of 2020-12', () => {
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

  test('describes each place of a path', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = (item['parameters'] ?? []) as unknown as readonly { name: string }[];
      expect(described.map(({ name }) => name)).toEqual(places);
    }
  });

  test('says which headers a route honours', () => {
    const headersOf = (path: string, method: string) =>
      (document.paths[path]?.[method]?.parameters ?? [])
        .filter(({ in: place }) => place === 'header')
        .map(({ name }) => name);

    expect(headersOf('/deployments', 'post')).toEqual(['Idempotency-Key']);
    expect(headersOf('/deployments/{slug}', 'patch')).toEqual(['If-Match']);
  });
});
