import { describe, expect, test } from '@jest/globals';
import type { FoundOperation } from '../../../layers/openapi/document.ts';
import { toolNames } from '../../../layers/openapi/operation/tool-names.ts';
import {
  definitionName,
  propertyName,
  propertyNameApart,
  propertyNameWithHash,
} from '../../../layers/openapi/schema/texts.ts';

const operation = (method: string, path: string, operationId?: string): FoundOperation => ({
  method,
  path,
  ...(operationId === undefined ? {} : { operationId }),
  tags: [],
  deprecated: false,
  pathItem: {},
  operation: {},
  pointer: `/paths/${path}/${method}`,
});

const namesOf = (...operations: readonly FoundOperation[]): readonly (string | undefined)[] => {
  const names = toolNames(operations);
  return operations.map((one) => names.get(one));
};

describe('the name of a tool', () => {
  test.each([
    ['listPets', 'listPets'],
    ['list-pets_2', 'list-pets_2'],
    ['pets.list', 'pets_list'],
    ['pets/list all', 'pets_list_all'],
    ['  {pets}  ', 'pets'],
    ['2faEnable', '_2faEnable'],
    ['__proto__', 'proto'],
    ['constructor', 'constructor'],
    ['größeÄndern', 'grosseAndern'],
    ['получитьЗаказы', 'poluchitZakazy'],
    ['λίσταΧρηστών', 'listaChriston'],
    ['사용자목록', 'sayongjamokrok'],
    ['しゃしん.きって', 'shashin_kitte'],
    ['قائمة المستخدمين', 'qayma_almstkhdmyn'],
    ['רשימה', 'rshymh'],
    ['订单_list', 'list'],
    ['a'.repeat(48), 'a'.repeat(48)],
  ])('is made from the operationId %j: %j', (operationId, name) => {
    expect(namesOf(operation('GET', '/pets', operationId))).toEqual([name]);
  });

  test.each([
    ['GET', '/users/{id}', 'get_users_by_id'],
    ['DELETE', '/users/{user-id}/pets.json', 'delete_users_by_user-id_pets_json'],
    ['GET', '/', 'get_root'],
    ['POST', '/{a}{b}', 'post_by_a_by_b'],
    ['POST', '/#Target=Db.Put', 'post_Target_Db_Put'],
    ['GET', '/ユーザー', 'get_yuza'],
    ['GET', '/%D0%B7%D0%B0%D0%BA%D0%B0%D0%B7%D1%8B/{ид}', 'get_zakazy_by_id'],
    ['GET', '/订单', 'get_ding_dan'],
    ['GET', '/订单/{id}', 'get_ding_dan_by_id'],
    ['GET', '/订单/{订单号}', 'get_ding_dan_by_ding_dan_hao'],
    ['GET', '/%E0%A4%A', 'get_E0_A4_A'],
  ])('is made from %s %s where there is no operationId: %s', (method, path, name) => {
    expect(namesOf(operation(method, path))).toEqual([name]);
    expect(namesOf(operation(method, path, '日本'))).toEqual([name]);
    expect(namesOf(operation(method, path, '日本語の操作'))).toEqual([name]);
    expect(namesOf(operation(method, path, 'ไทย'))).toEqual([name]);
  });

  test.each([
    ['says nothing in Latin letters', { operationId: 'get订单' }, '/orders', 'get_orders'],
    ['has none', { operation: { summary: 'List all orders' } }, '/订单', 'list_all_orders'],
    ['has none', { operation: { summary: 'Get' } }, '/api/订单', 'get_api'],
    ['has none', { operation: { summary: 'List 订单' } }, '/api/订单', 'get_api'],
  ])('is made from words elsewhere where the operationId %s', (_, members, path, name) => {
    expect(namesOf({ ...operation('GET', path), ...members })).toEqual([name]);
  });

  test('has at most 48 characters, and a hash at the end where it has one word alone', () => {
    const [one, two] = namesOf(
      operation('GET', '/a', `${'x'.repeat(60)}A`),
      operation('GET', '/b', `${'x'.repeat(60)}B`),
    );

    expect(one).toMatch(/^x{41}_[0-9a-f]{6}$/);
    expect(two).toMatch(/^x{41}_[0-9a-f]{6}$/);
    expect(one).not.toBe(two);
  });

  test('stays with the operation whose operationId it literally is', () => {
    const [dotted, literal] = namesOf(
      operation('GET', '/a', 'pets.list'),
      operation('GET', '/b', 'pets_list'),
    );

    expect(literal).toBe('pets_list');
    expect(dotted).toBe('pets_list_a');
  });

  test.each<[string, readonly FoundOperation[], readonly string[]]>([
    [
      'words of their paths',
      [operation('GET', '/users', 'list'), operation('GET', '/orders', 'list')],
      ['list_users', 'list_orders'],
    ],
    [
      'their methods',
      [operation('GET', '/a', 'same'), operation('PUT', '/a', 'same')],
      ['same_GET', 'same_PUT'],
    ],
    [
      'both',
      ['GET /a', 'PUT /a', 'GET /b'].map((one) => {
        const [method = '', path = ''] = one.split(' ');
        return operation(method, path, 'same');
      }),
      ['same_a_GET', 'same_a_PUT', 'same_b_GET'],
    ],
    [
      'parameters of their paths',
      [operation('GET', '/users/{id}', 'get'), operation('GET', '/users/{name}', 'get')],
      ['get_id', 'get_name'],
    ],
    [
      'a slash at the end',
      [operation('GET', '/values'), operation('GET', '/values/')],
      ['get_values', 'get_values_slash'],
    ],
    [
      'a query behind the path',
      [operation('GET', '/orders'), operation('GET', '/orders#page,size')],
      ['get_orders', 'get_orders_page_size'],
    ],
  ])(
    'says what differs for all that want the same one, whatever their order: %s',
    (_, its, names) => {
      expect(namesOf(...its)).toEqual(names);
      expect(namesOf(...its.toReversed())).toEqual(names.toReversed());
    },
  );

  test.each<[string, string, string | undefined, string]>([
    [
      'parameters of the path first',
      '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}',
      undefined,
      'get_repositories_pullrequests_by_pull_request_id',
    ],
    [
      'then the last of these',
      '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/approve',
      undefined,
      'get_repositories_pullrequests_approve',
    ],
    [
      'a key of OData named once',
      "/A_AddressEmailAddress(AddressID='{AddressID}',Person='{Person}',OrdinalNumber='{OrdinalNumber}')",
      undefined,
      'get_A_AddressEmailAddress_by_OrdinalNumber',
    ],
    [
      'what a parameter is called',
      "/A_BuPaIdentification(BusinessPartner='{BusinessPartner}',BPIdentificationNumber='{BPIdentificationNumber}')",
      undefined,
      'get_A_BuPaIdentification_by_Number',
    ],
    [
      'words of an operationId',
      '/a',
      'WorkflowRunActionRepetitionsRequestHistories_ListExpressionTraces',
      'WorkflowRunActionHistories_ListExpressionTraces',
    ],
    [
      'parameters in an operationId',
      '/a',
      'updateMembersSavedSearchesNameByIdMemberByIdSavedSearch',
      'updateMembersSavedSearchesNameByIdSavedSearch',
    ],
  ])('loses its middle where it is too long: %s', (_, path, operationId, name) => {
    expect(namesOf(operation('GET', path, operationId))).toEqual([name]);
  });

  test('takes no longer than its path: each place is looked at once', () => {
    const places = Array.from({ length: 20_000 }, (_, at) => `{${at % 10}}`).join('/');
    const startedMs = performance.now();
    const names = namesOf(...['a', 'b', 'c'].map((part) => operation('GET', `/${part}/${places}`)));

    expect(new Set(names).size).toBe(3);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  test('keeps the word that differs where two lose the same', () => {
    const names = namesOf(
      operation('GET', '/a', 'listWorkflowRunActionRepetitionsRequestHistoriesOfTheAccount'),
      operation('GET', '/b', 'listWorkflowRunActionRepetitionsResponseHistoriesOfTheAccount'),
    );

    expect(names).toEqual([
      expect.stringContaining('Request'),
      expect.stringContaining('Response'),
    ]);
    expect(names.join(' ')).not.toMatch(/[0-9a-f]{6}/);
  });

  test.each<[string, readonly FoundOperation[], readonly string[]]>([
    [
      'of FastAPI the function alone',
      [
        operation('GET', '/api/v1/users/', 'read_users_api_v1_users__get'),
        operation(
          'POST',
          '/api/v1/projects/{project_id}/keys',
          'create_project_key_with_management_key_api_v1_projects__project_id__keys_post',
        ),
      ],
      ['read_users', 'create_project_key_with_management_key'],
    ],
    [
      'of FastAPI the function alone, where one id names several methods',
      [
        operation('GET', '/beans/', 'sync_beans__post'),
        operation('POST', '/beans/', 'sync_beans__post'),
      ],
      ['sync_GET', 'sync_POST'],
    ],
    [
      'of FastAPI all of it where two functions are called alike',
      [operation('GET', '/v1/a/', 'read_v1_a__get'), operation('GET', '/v2/a/', 'read_v2_a__get')],
      ['read_v1_a__get', 'read_v2_a__get'],
    ],
    [
      'an md5 behind a method says nothing',
      [operation('GET', '/articles/{id}', 'get_0e00aae7c370b295281ca65f1d061354')],
      ['get_articles_by_id'],
    ],
    [
      'an md5 says nothing',
      [operation('GET', '/articles/{id}', '0e00aae7c370b295281ca65f1d061354')],
      ['get_articles_by_id'],
    ],
    [
      'nor does an id of a portal',
      [
        operation('GET', '/a', '5c8a9e1b5c8a9e1b5c8a9e1b'),
        operation('GET', '/b', 'b4f7c3d2-1a2b-4c3d-8e9f-0a1b2c3d4e5f'),
        operation('GET', '/c', 'list-5c8a9e1b5c8a9e1b5c8a9e1b'),
      ],
      ['get_a', 'get_b', 'list'],
    ],
    [
      'nor do words that any operation may have',
      [
        operation('GET', '/a', 'undefined'),
        operation('GET', '/b', 'operation_12'),
        operation('GET', '/c', '7'),
        operation('GET', '/d', 'op_5c8a9e1b5c8a9e1b5c8a9e1b'),
        operation('GET', '/e', 'generated::KjH8s7dGf6sdfGhJ'),
        operation('GET', '/f', 'lambda$route$3'),
      ],
      ['get_a', 'get_b', 'get_c', 'get_d', 'get_e', 'get_f'],
    ],
    [
      'nor does the ending of a hash',
      [operation('GET', '/a', 'list_users_3f2a9c1b'), operation('GET', '/b', 'list_pets-a1b2c3')],
      ['list_users', 'list_pets'],
    ],
    [
      'but no year and no colour',
      [operation('GET', '/a', 'list_decade1990'), operation('GET', '/b', 'get_color_ff5733')],
      ['list_decade1990', 'get_color_ff5733'],
    ],
    [
      'of API Platform all of it, though it ends as one of FastAPI',
      [
        operation('POST', '/books', 'api_books_post'),
        operation('GET', '/books/{id}', 'api_books_id_get'),
      ],
      ['api_books_post', 'api_books_id_get'],
    ],
    [
      'a word of the letters a to f is one',
      [operation('GET', '/a', 'feedbeadedfacade')],
      ['feedbeadedfacade'],
    ],
  ])('is what somebody has written of an operationId: %s', (_, its, names) => {
    expect(namesOf(...its)).toEqual(names);
  });

  test('is unique, even where an operationId looks like a name with a hash', () => {
    const colliding = [operation('GET', '/a', 'same'), operation('PUT', '/a', 'same')];
    const imitation = operation('GET', '/b', namesOf(...colliding)[0]);

    const names = namesOf(...colliding, imitation);
    expect(new Set(names).size).toBe(3);
    expect(names[2]).toBe(imitation.operationId);
  });

  test('stays the same when another operation is added', () => {
    const before = namesOf(operation('GET', '/a', 'a'), operation('GET', '/b'));
    const after = namesOf(
      operation('GET', '/c', 'a.'),
      operation('GET', '/a', 'a'),
      operation('GET', '/b'),
    );

    expect(after.slice(1)).toEqual(before);
  });
});

describe('the name of a property', () => {
  test.each([
    ['plain_name.x-1', 'plain_name.x-1'],
    ['filter[x]', 'filter_x'],
    ['StartTime<', 'StartTime'],
    ['$top', 'top'],
    ['constructor', 'constructor'],
    ['__proto__', 'proto'],
    ['a'.repeat(64), 'a'.repeat(64)],
  ])('is made of the name on the wire: %j becomes %j', (wire, name) => {
    expect(propertyName(wire)).toBe(name);
  });

  test.each(['a'.repeat(65), 'ไทย', '[]', ''])(
    'ends with a hash where the name on the wire is too long or has no usable character: %j',
    (wire) => {
      expect(propertyName(wire)).toMatch(/^[a-z]{1,51}_[0-9a-f]{6,12}$/);
    },
  );

  test('is distinguished by a hash from others that would become equal', () => {
    expect(propertyNameApart('prefs/color', new Set(['prefs_color']))).toBe('prefs_slash_color');
    expect(propertyNameApart('a(b', new Set())).toMatch(/^a_b_[0-9a-f]{12}$/);
    expect(propertyNameApart('a/b', new Set(['a_slash_b']))).toMatch(/^a_b_[0-9a-f]{12}$/);
    expect(propertyNameWithHash('a[b')).not.toBe(propertyNameWithHash('a(b'));
    expect(propertyNameWithHash('x'.repeat(200))).toHaveLength(64);
  });
});

describe('the name of a definition', () => {
  test.each([
    ['#/components/schemas/Pet', 'Pet'],
    ['#/definitions/Pet.v1-a', 'Pet.v1-a'],
  ])('is that of its component, for %s', (pointer, name) => {
    expect(definitionName(pointer)).toBe(name);
  });

  test.each(['#/components/schemas/Pet«Dog»', '#/paths/~1a/get/schema', '#/definitions/A/items'])(
    'is one that model APIs accept, for %s',
    (pointer) => {
      expect(definitionName(pointer)).toMatch(/^[a-zA-Z0-9_.-]{1,51}_[0-9a-f]{12}$/);
    },
  );
});
