import { describe, expect, test } from '@jest/globals';
import { bindTemplates } from '../../../layers/openapi/intake/bind-templates.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { rootOf } from '../../support/openapi/compile.ts';
import { aDescription, read } from '../../support/openapi/intake.ts';

const USER = { type: 'object', properties: { email: { type: 'string' } } };
const ORDER = { type: 'object', properties: { total: { type: 'number' } } };
const ITEM = { $defs: { item: { $dynamicAnchor: 'item', not: {} } } };
const PAGE = {
  type: 'object',
  properties: {
    next: { type: 'string' },
    items: { type: 'array', items: { $dynamicRef: '#item' } },
  },
  ...ITEM,
};
const binding = (name: string) => ({
  $defs: { item: { $dynamicAnchor: 'item', $ref: `#/components/schemas/${name}` } },
});
const PAGES = {
  User: USER,
  Order: ORDER,
  Page: PAGE,
  Users: { ...binding('User'), $ref: '#/components/schemas/Page' },
  Orders: { ...binding('Order'), $ref: '#/components/schemas/Page' },
};

/** What a schema of this name has become, as text, its references written out. */
const shown = (schemas: JsonObject, name: string, version = '3.1.0') => {
  const { properties, $defs = {} } = rootOf(
    { $ref: `#/components/schemas/${name}` },
    schemas,
    version,
  ) as { properties: { value: object }; $defs?: Readonly<Record<string, object>> };
  return JSON.stringify([properties.value, $defs]);
};

describe('a template of 3.1', () => {
  test.each(['3.1.0', '3.2.0'])(
    'means what is bound beside the reference to it, in %s',
    (version) => {
      expect(shown(PAGES, 'Users', version)).toContain('"email"');
      expect(shown(PAGES, 'Users', version)).not.toContain('"total"');
      expect(shown(PAGES, 'Orders', version)).toContain('"total"');
      expect(shown(PAGES, 'Orders', version)).toContain('"next"');
      expect(shown(PAGES, 'Orders', version)).not.toContain('"email"');
    },
  );

  test('is bound by an `allOf`, by what stands around a property, and through other templates', () => {
    const schemas = {
      ...PAGES,
      InAllOf: { ...binding('User'), allOf: [{ $ref: '#/components/schemas/Page' }] },
      Around: {
        ...binding('Order'),
        type: 'object',
        properties: { page: { $ref: '#/components/schemas/Page' } },
      },
      Named: { allOf: [{ $ref: '#/components/schemas/Page' }, { properties: { name: {} } }] },
      Through: { ...binding('User'), $ref: '#/components/schemas/Named' },
    };

    expect(shown(schemas, 'InAllOf')).toContain('"email"');
    expect(shown(schemas, 'Around')).toContain('"total"');
    expect(shown(schemas, 'Through')).toMatch(/"email".*"name"|"name".*"email"/);
  });

  test('is bound where it contains itself', () => {
    const tree = {
      type: 'object',
      properties: {
        data: { $dynamicRef: '#item' },
        kids: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      },
      ...ITEM,
    };
    const schemas = {
      User: USER,
      Tree: tree,
      Family: { ...binding('User'), $ref: '#/components/schemas/Tree' },
    };

    expect(shown(schemas, 'Family')).toContain('"email"');
    expect(shown(schemas, 'Family')).toContain('#/$defs/Family');
  });

  test('is extended by a schema with its anchor', () => {
    const schemas = {
      Tree: {
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { kids: { type: 'array', items: { $dynamicRef: '#node' } } },
      },
      Named: {
        $dynamicAnchor: 'node',
        $ref: '#/components/schemas/Tree',
        properties: { name: { type: 'string' } },
      },
    };

    expect(shown(schemas, 'Named')).toContain('{"$ref":"#/$defs/Named"}');
    expect(shown(schemas, 'Tree')).not.toContain('"name"');
  });

  test('is left as it is where writing all of them out would take too much', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    const wide = { ...PAGE, properties: { ...PAGE.properties, ...properties } };
    const schemas = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`Users${index}`, PAGES.Users]),
    );
    const description = aDescription({
      openapi: '3.1.0',
      components: { schemas: { ...PAGES, ...schemas, Page: wide } },
    });

    expect(read(description).warnings.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('"#item" may mean any of'),
    );
  });

  test('is left as it is where many ways lead to a large schema, which would be looked through for each', () => {
    const large = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`p${at}`, {}]));
    const ways = Array.from({ length: 80 }, (_, at) => `Way${at}`);
    const schemas = {
      ...PAGES,
      ...Object.fromEntries(ways.map((name) => [name, { $ref: '#/components/schemas/Large' }])),
      Large: { type: 'object', properties: large },
      Many: {
        ...binding('User'),
        allOf: ways.map((name) => ({ $ref: `#/components/schemas/${name}` })),
      },
    };
    const root: JsonObject = { components: { schemas } };
    const before = JSON.stringify(root);
    bindTemplates(root);

    expect(JSON.stringify(root) === before).toBe(true);
  });

  test('is left as it is where its copies would have too many members that are no objects', () => {
    const values = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`e${at}`, 1]));
    const users = Array.from({ length: 10 }, (_, at) => [`Users${at}`, { ...PAGES.Users }]);
    const Page = { ...PAGE, 'x-values': values };
    const root: JsonObject = {
      components: { schemas: { ...PAGES, ...Object.fromEntries(users), Page } },
    };
    const before = JSON.stringify(root);
    bindTemplates(root);

    expect(JSON.stringify(root) === before).toBe(true);
  });

  test('is looked for in schemas of any width', () => {
    const values = Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`e${at}`, 1]));
    const schemas = { ...PAGES, Page: { ...PAGE, 'x-values': values } };

    expect(() => bindTemplates({ components: { schemas } })).not.toThrow();
  });

  test('says nothing to warn of', () => {
    const description = aDescription({ openapi: '3.1.0', components: { schemas: PAGES } });

    expect(read(description).warnings).toEqual([]);
  });
});
