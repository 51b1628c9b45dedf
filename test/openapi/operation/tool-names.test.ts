import { describe, expect, test } from '@jest/globals';
import type { FoundOperation } from '../../../layers/openapi/document.ts';
import { toolNames } from '../../../layers/openapi/operation/tool-names.ts';
import {
  definitionName,
  propertyName,
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
    ['Größe', 'Gr_e'],
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
    ['GET', '/ユーザー', 'get_94ee63'],
  ])('is made from %s %s where there is no operationId: %s', (method, path, name) => {
    expect(namesOf(operation(method, path))).toEqual([name]);
    expect(namesOf(operation(method, path, '日本'))).toEqual([name]);
  });

  test('has at most 48 characters, and a hash at the end where it was cut', () => {
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
    expect(dotted).toMatch(/^pets_list_[0-9a-f]{6}$/);
  });

  test('gets a hash at the end for all that share an operationId, whatever their order', () => {
    const get = operation('GET', '/a', 'same');
    const put = operation('PUT', '/a', 'same');

    const [ofGet, ofPut] = namesOf(get, put);
    expect(namesOf(put, get)).toEqual([ofPut, ofGet]);
    expect([ofGet, ofPut]).toEqual([
      expect.stringMatching(/^same_[0-9a-f]{6}$/),
      expect.stringMatching(/^same_[0-9a-f]{6}$/),
    ]);
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

  test.each(['a'.repeat(65), '日本', '[]', ''])(
    'ends with a hash where the name on the wire is too long or has no usable character: %j',
    (wire) => {
      expect(propertyName(wire)).toMatch(/^[a-z]{1,51}_[0-9a-f]{6,12}$/);
    },
  );

  test('is distinguished by a hash from others that would become equal', () => {
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
