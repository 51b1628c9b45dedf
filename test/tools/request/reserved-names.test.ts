import { describe, expect, test } from '@jest/globals';
import { applyOverrides } from '../../../layers/deployments/rules/apply-overrides.ts';
import type { ToolOverride } from '../../../layers/deployments/rules/publication.ts';
import {
  type CompiledTool,
  type Operation,
  toIndexedTool,
} from '../../../layers/openapi/tool-index.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { onlyOf } from '../../support/openapi/compile.ts';
import { aBody, aParameter, refusalOf } from '../../support/mcp/tools.ts';

type Arguments = NonNullable<ToolOverride['arguments']>;

const FREE = { type: 'object', additionalProperties: true };

/** A tool whose arguments `account` and `free` are those of the operation, published as its owner wants it. */
const published = (
  operation: Partial<Operation>,
  overrides: Arguments,
  more: Readonly<Record<string, object>> = {},
) => {
  const tool: CompiledTool = {
    name: 'things',
    listed: {
      name: 'things',
      inputSchema: { type: 'object', properties: { account: {}, free: FREE, ...more } },
      annotations: {},
    },
    operation: {
      method: 'POST',
      path: '/things',
      serverUrl: 'https://api.example.com',
      operationId: 'things',
      parameters: [],
      accept: [],
      ...operation,
    },
  };
  const { tools } = applyOverrides([tool], { things: { arguments: overrides } });
  const prepared = prepareTool(toIndexedTool(onlyOf(tools)));
  return (args: object, terms: Parameters<typeof buildRequest>[2] = {}) =>
    buildRequest(prepared, readArguments(prepared, args), terms);
};

const FIXED: Arguments = { account: { value: 'mine' } };
const HIDDEN: Arguments = { account: { hidden: true } };

const inQuery = { parameters: [aParameter('query', 'account'), aParameter('query', 'free')] };
const inCookies = { parameters: [aParameter('cookie', 'account'), aParameter('cookie', 'free')] };
const deep = {
  parameters: [
    aParameter('query', 'free[account]', { argument: 'account' }),
    aParameter('query', 'free', { style: 'deepObject' }),
  ],
};
const wholeQuery = {
  parameters: [
    aParameter('query', 'account'),
    aParameter('query', 'free', {
      mediaType: 'application/x-www-form-urlencoded',
      isQuery: true,
    }),
  ],
};
const exploded = { encoding: { free: { style: 'form', explode: true } } } as const;
const form = {
  body: aBody('form', 'application/x-www-form-urlencoded', ['account', 'free'], exploded),
};
const multipart = {
  body: aBody('multipart', 'multipart/form-data', ['account', 'free'], exploded),
};
const renamed = {
  body: aBody('json', 'application/json', [], {
    source: {
      kind: 'properties',
      properties: [{ argument: 'account', name: 'acc[x]' }],
      additional: true,
    },
  }),
};

describe('what an owner fixed or took away', () => {
  test.each<[string, Partial<Operation>, object, string]>([
    ['in the query', inQuery, { free: { account: 'other' } }, '/free/account'],
    ['in the query in other letters', inQuery, { free: { ACCOUNT: 'other' } }, '/free/ACCOUNT'],
    ['in the query as a list', inQuery, { free: { 'account[]': 'other' } }, '/free/account[]'],
    ['in the query as an object', inQuery, { free: { 'account[a]': '1' } }, '/free/account[a]'],
    ['as a member of an object', deep, { free: { account: 'other' } }, '/free/free[account]'],
    ['below such a member', deep, { free: { account: { id: '1' } } }, '/free/free[account][id]'],
    ['in a query in one piece', wholeQuery, { free: { account: 'other' } }, '/free/account'],
    ['among the cookies', inCookies, { free: { account: 'other' } }, '/free/account'],
    ['in a form', form, { free: { account: 'other' } }, '/free/account'],
    ['in the parts of a body', multipart, { free: { account: 'other' } }, '/free/account'],
    ['in JSON under its own name', renamed, { 'acc[x]': 'other' }, '/acc[x]'],
    ['in JSON under its argument', renamed, { account: 'other' }, '/account'],
    ['in capital letters here and there', form, { free: { aCCounT: 'other' } }, '/free/aCCounT'],
    ['in wide letters', form, { free: { ａccount: 'other' } }, '/free/ａccount'],
    ['with signs between words', inQuery, { free: { 'ac-count': 'other' } }, '/free/ac-count'],
  ])('cannot be set %s', (_, operation, args, path) => {
    for (const overrides of [FIXED, HIDDEN]) {
      const call = published(operation, overrides);

      expect(refusalOf(() => call(args))).toMatchObject({
        code: 'invalid_params',
        errors: [{ path }],
      });
    }
  });

  test('may be an object whose members stand for themselves', () => {
    const call = published(inQuery, { free: { value: { kind: 'mine' } } });

    expect(call({ account: 'a' }).url).toBe('https://api.example.com/things?account=a&kind=mine');
  });

  test('cannot be set by another object with such members', () => {
    const parameters = [...inQuery.parameters, aParameter('query', 'further')];
    const fixed: Arguments = { free: { value: { kind: 'mine' } } };
    const call = published({ parameters }, fixed, { further: FREE });

    expect(refusalOf(() => call({ further: { kind: 'other' } })).errors).toMatchObject([
      { path: '/further/kind' },
    ]);
  });

  test('leaves members of other names alone', () => {
    const call = published(inQuery, FIXED);

    expect(call({ free: { kind: 'a', accounts: 'b' } }).url).toBe(
      'https://api.example.com/things?account=mine&kind=a&accounts=b',
    );
  });

  test('is no name of the same kind elsewhere in the request', () => {
    const body = aBody('form', 'application/x-www-form-urlencoded', ['free'], exploded);
    const call = published({ parameters: [aParameter('query', 'account')], body }, FIXED);

    expect(call({ free: { account: 'a' } })).toMatchObject({
      url: 'https://api.example.com/things?account=mine',
      body: 'account=a',
    });
  });
});

describe('names that fold to what an owner fixed', () => {
  const body = aBody('json', 'application/json', [], {
    source: {
      kind: 'properties',
      properties: [{ argument: 'account', name: 'user_id' }],
      additional: true,
    },
  });

  test.each(['uſer_id', 'USER_ID', 'userId', 'user-id', 'user.id'])(
    'cannot be set as %s',
    (name) => {
      const call = published({ body }, FIXED);

      expect(refusalOf(() => call({ [name]: 'other' })).code).toBe('invalid_params');
    },
  );
});

describe('names that are nested in another way', () => {
  const nested = (name: string, kind: 'query' | 'form' | 'multipart'): Partial<Operation> => {
    if (kind === 'query') {
      const account = aParameter('query', name, { argument: 'account' });
      return { parameters: [account, aParameter('query', 'free')] };
    }
    const properties = [
      { argument: 'account', name },
      { argument: 'free', name: 'free' },
    ];
    return {
      body: aBody(kind, 'application/x-www-form-urlencoded', [], {
        source: { kind: 'properties', properties, additional: false },
        ...exploded,
      }),
    };
  };

  test.each([
    ['user', 'user.role'],
    ['user', 'User.Role'],
    ['user', 'user.roles[0].name'],
    ['user.role', 'user[role]'],
    ['user.role', 'user.role.name'],
    ['user[role]', 'user.role'],
    ['user[0].role', 'user.0[role]'],
    ['roles[]', 'roles'],
    ['user_role', 'user[role'],
  ])('cannot set %s as %s', (name, spelled) => {
    for (const kind of ['query', 'form', 'multipart'] as const) {
      const call = published(nested(name, kind), FIXED);

      expect(refusalOf(() => call({ free: { [spelled]: 'other' } }))).toMatchObject({
        code: 'invalid_params',
        errors: [{ path: `/free/${spelled}` }],
      });
    }
  });

  test.each([
    ['user_id', 'user[id]'],
    ['user.role', 'user.name'],
    ['user.role', 'users.role'],
    ['role', 'user.role'],
  ])('are not %s: %s', (name, other) => {
    for (const kind of ['query', 'form', 'multipart'] as const) {
      expect(() => published(nested(name, kind), FIXED)({ free: { [other]: 'a' } })).not.toThrow();
    }
  });

  test('mean nothing in JSON', () => {
    const source = {
      kind: 'properties',
      properties: [{ argument: 'account', name: 'app' }],
      additional: true,
    } as const;
    const labels = aBody('json', 'application/json', [], { source });
    expect(published({ body: labels }, FIXED)({ 'app.kubernetes.io/name': 'a' }).body).toContain(
      '"app.kubernetes.io/name":"a"',
    );
  });
});

describe('a part by its position', () => {
  const call = published(
    {
      body: aBody('multipart', 'multipart/form-data', [], {
        source: { kind: 'whole', argument: 'parts' },
        isByPosition: true,
      }),
    },
    {},
    { parts: { type: 'array', items: { type: 'object', additionalProperties: true } } },
  );
  const key = {
    type: 'api_key',
    in: 'query',
    name: 'key',
    prefix: '',
    secret: 'k',
    origins: [],
  } as const;

  test('has no name that chooses another method, or is that of a key', () => {
    expect(refusalOf(() => call({ parts: [{ _method: 'DELETE' }] })).errors).toMatchObject([
      { path: '/parts/0/_method' },
    ]);
    expect(
      refusalOf(() => call({ parts: [{ a: '1' }, { key: 'mine' }] }, { credentials: [key] }))
        .errors,
    ).toMatchObject([{ path: '/parts/1/key' }]);
    expect(() => call({ parts: [{ key: 'mine' }] })).not.toThrow();
  });
});

describe('a member that chooses another method', () => {
  test.each([
    ['in a form', form],
    ['in the query', inQuery],
  ])('cannot be set %s', (_, operation) => {
    const call = published(operation, {});

    // PHP reads the others as the first.
    for (const name of ['_method', '_METHOD', '.method', ' .method']) {
      expect(refusalOf(() => call({ free: { [name]: 'DELETE' } })).code).toBe('invalid_params');
    }
    expect(() => call({ free: { method: 'card' } })).not.toThrow();
  });
});

describe('an address that says which operation is meant', () => {
  const call = published({ ...inQuery, path: '/things?Action=Get' }, {});

  test('cannot be made to say another one', () => {
    expect(refusalOf(() => call({ free: { Action: 'Delete' } })).errors).toMatchObject([
      { path: '/free/Action' },
    ]);
  });

  test('takes other members', () => {
    expect(call({ free: { Kind: 'a' } }).url).toBe(
      'https://api.example.com/things?Action=Get&Kind=a',
    );
  });
});
