import { describe, expect, test } from '@jest/globals';
import {
  addressees,
  costOf,
  inKnownVersion,
  readBody,
  speaksRpc,
} from '../../../layers/core/domain/rpc/index.ts';

const request = (id: unknown, method = 'tools/list') => ({ jsonrpc: '2.0', id, method });
const body = (sent: unknown) => readBody(JSON.stringify(sent));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('reading a body', () => {
  test.each([
    ['T8 bytes that are not UTF-8', undefined, 'parse_error'],
    ['T8 a half of a surrogate pair', '"\ud800"', 'parse_error'],
    ['no text at all', '', 'parse_error'],
    ['a cut object', '{"jsonrpc":"2.0"', 'parse_error'],
    ['a trailing comma', '[1,]', 'parse_error'],
    ['T3 an empty batch', '[]', 'invalid_request'],
    ['T3 a number', '7', 'invalid_request'],
    ['T3 null', 'null', 'invalid_request'],
    ['a batch of 101', JSON.stringify(Array(101).fill(request(1))), 'invalid_request'],
    ['201 levels', nested(201), 'invalid_request'],
    ['a million levels', nested(1_000_000), 'invalid_request'],
  ])('answers %s as one refused message', (_, text, code) => {
    expect(readBody(text)).toMatchObject({
      batch: false,
      messages: [{ kind: 'invalid', id: null, refusal: { code } }],
    });
  });

  test('D8 takes a batch of 100 and keeps its order', () => {
    const ids = Array.from({ length: 100 }, (_, index) => index);

    const { batch, messages } = body(ids.map((id) => request(id)));

    expect(batch).toBe(true);
    expect(messages.map((message) => ('id' in message ? message.id : undefined))).toEqual(ids);
  });

  test('T3 refuses members of a batch one by one', () => {
    expect(body([1, request(2), null]).messages.map(({ kind }) => kind)).toEqual([
      'invalid',
      'request',
      'invalid',
    ]);
  });

  test('T4 refuses initialize inside a batch, repeating its id', () => {
    expect(body([request(1, 'initialize'), request(2)]).messages).toMatchObject([
      { kind: 'invalid', id: 1, refusal: { code: 'invalid_request' } },
      { kind: 'request', id: 2 },
    ]);
  });

  test('does not mistake brackets in strings for nesting', () => {
    const params = { name: `"${'['.repeat(500)}\\"{{` };
    expect(body({ ...request(1), params }).messages[0]).toMatchObject({ kind: 'request', params });
  });

  test('takes 200 levels, one after the other as often as one likes', () => {
    const levels = nested(198);
    const text = `{"jsonrpc":"2.0","id":1,"method":"ping","params":[${levels},${levels}]}`;
    expect(readBody(text).messages[0]).toMatchObject({ kind: 'request' });
  });
});

describe('D15 counting a body', () => {
  test.each([
    ['a request', request(1), 1],
    ['a request of an unknown method', request(1, 'nothing'), 1],
    ['a ping', request(1, 'ping'), 0],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 0],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 0],
    ['no message', { hello: 'world' }, 1],
    ['an empty batch', [], 1],
    ['a batch, item by item', [request(1), request(2, 'ping'), 7, request(3)], 3],
    ['a batch of notifications', [{ jsonrpc: '2.0', method: 'a' }], 0],
  ])('counts %s', (_, sent, cost) => {
    expect(costOf(body(sent))).toBe(cost);
  });

  test('counts garbage as one', () => {
    expect(costOf(readBody('{{{'))).toBe(1);
  });
});

describe('repeating the ids of a refused body', () => {
  test.each([
    ['the id of a request', request(7), 7],
    ['null for garbage', {}, null],
    ['nothing for a notification', { jsonrpc: '2.0', method: 'a' }, null],
    ['a list for a batch', [request(1), 5, { jsonrpc: '2.0', method: 'a' }], [1, null]],
  ])('gives %s', (_, sent, ids) => {
    expect(addressees(body(sent))).toEqual(ids);
  });
});

describe('D10 the version header', () => {
  const given = body(request(7));

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', ' 2025-11-25 ', undefined])(
    'lets %p pass',
    (header) => {
      expect(inKnownVersion(given, header)).toBe(given);
    },
  );

  test.each(['', '2026-07-28', '1.0', 'latest', '2025-03-26, 2025-06-18', 'toString'])(
    'refuses %p, repeating the id',
    (header) => {
      expect(inKnownVersion(given, header)).toMatchObject({
        messages: [{ kind: 'invalid', id: 7, refusal: { code: 'invalid_request' } }],
      });
    },
  );

  test('refuses a whole batch with one error', () => {
    expect(inKnownVersion(body([request(1), request(2)]), '1.0')).toMatchObject({
      batch: false,
      messages: [{ kind: 'invalid', id: null }],
    });
  });

  test('lets initialize pass, whatever it says', () => {
    const initialize = body(request(1, 'initialize'));
    expect(inKnownVersion(initialize, '1.0')).toBe(initialize);
  });
});

describe('telling JSON-RPC from other bodies', () => {
  test.each([
    ['a request', JSON.stringify(request(1)), true],
    ['a method that is no string', '{"jsonrpc":"2.0","method":1}', true],
    ['a batch with a request', JSON.stringify([{}, request(1)]), true],
    ['another version', '{"jsonrpc":"1.0","method":"ping"}', false],
    ['no method', '{"jsonrpc":"2.0"}', false],
    ['a legacy call', '{"name":"getPets"}', false],
    ['a batch of anything else', '[{},1,null]', false],
    ['an empty batch', '[]', false],
    ['null', 'null', false],
    ['text', 'hello', false],
    ['nothing', '', false],
    ['bytes that are no text', undefined, false],
  ])('%s', (_, text, speaks) => {
    expect(speaksRpc(text)).toBe(speaks);
  });
});
