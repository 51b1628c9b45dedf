import { describe, expect, test } from '@jest/globals';
import { readMessage } from '../../../../layers/mcp/rules/message.ts';

describe('reading a JSON-RPC message', () => {
  test.each([
    ['a number as id', 7],
    ['zero as id', 0],
    ['a negative id', -1],
    ['the largest safe integer as id', Number.MAX_SAFE_INTEGER],
    ['a string as id', 'seven'],
    ['an empty string as id', ''],
  ])('recognizes a request with %s', (_, id) => {
    expect(readMessage({ jsonrpc: '2.0', id, method: 'ping' })).toEqual({
      kind: 'request',
      id,
      method: 'ping',
      params: undefined,
    });
  });

  test('keeps the params as they were sent', () => {
    expect(readMessage({ jsonrpc: '2.0', id: 1, method: 'ping', params: [1] })).toMatchObject({
      params: [1],
    });
  });

  test.each([
    ['notifications/initialized', undefined],
    ['notifications/unknown', { a: 1 }],
    ['tools/call', []],
  ])('recognizes %s without an id as a notification', (method, params) => {
    expect(readMessage({ jsonrpc: '2.0', method, params })).toEqual({ kind: 'notification' });
  });

  test.each([
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error', { jsonrpc: '2.0', id: 'a', error: { code: 1, message: '' } }],
    ['an error without a readable id', { jsonrpc: '2.0', id: null, error: {} }],
  ])('recognizes a response with %s', (_, sent) => {
    expect(readMessage(sent)).toEqual({ kind: 'response' });
  });

  test.each([
    ['a string', 'ping', null],
    ['null', null, null],
    ['an array', [], null],
    ['an empty object', {}, null],
    ['no version', { id: 1, method: 'ping' }, 1],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, 1],
    ['a version that is a number', { jsonrpc: 2, id: 'a', method: 'ping' }, 'a'],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, null],
    ['an id with a fraction', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, null],
    ['an id beyond the safe integers', { jsonrpc: '2.0', id: 2 ** 53, method: 'ping' }, null],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, null],
    ['an id that is a list', { jsonrpc: '2.0', id: [1], method: 'ping' }, null],
    ['an id that is a boolean', { jsonrpc: '2.0', id: true, method: 'ping' }, null],
    ['a method that is not a string', { jsonrpc: '2.0', id: 1, method: 1 }, 1],
    ['a method that is null', { jsonrpc: '2.0', id: 1, method: null }, 1],
    ['no method', { jsonrpc: '2.0', id: 1 }, 1],
    ['a notification whose method is a number', { jsonrpc: '2.0', method: 3 }, null],
    ['a result without an id', { jsonrpc: '2.0', result: {} }, null],
    ['a result with a null id', { jsonrpc: '2.0', id: null, result: {} }, null],
    [
      'members in a __proto__ property',
      JSON.parse('{"__proto__":{"jsonrpc":"2.0","method":"ping"}}'),
      null,
    ],
  ])('refuses %s and repeats the id where it is readable', (_, sent, id) => {
    expect(readMessage(sent)).toMatchObject({
      kind: 'invalid',
      id,
      refusal: { code: 'invalid_request' },
    });
  });
});
