import { describe, expect, test } from '@jest/globals';
import { addressees, costOf, sentBody } from '../../../../layers/mcp/rules/message.ts';
import { inKnownVersion } from '../../../../layers/mcp/rules/versions.ts';

const request = (id: unknown, method = 'tools/list') => ({ jsonrpc: '2.0', id, method });
const body = (sent: unknown) => sentBody(JSON.stringify(sent)).messages();
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('reading the body of a JSON-RPC request', () => {
  test.each([
    ['bytes that are not UTF-8', undefined, 'parse_error'],
    ['half of a surrogate pair', '"\ud800"', 'parse_error'],
    ['an empty body', '', 'parse_error'],
    ['a truncated object', '{"jsonrpc":"2.0"', 'parse_error'],
    ['a trailing comma', '[1,]', 'parse_error'],
    ['an empty batch', '[]', 'invalid_request'],
    ['a number', '7', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    ['a batch of 101 messages', JSON.stringify(Array(101).fill(request(1))), 'invalid_request'],
    ['201 levels of nesting', nested(201), 'invalid_request'],
    ['a million levels of nesting', nested(1_000_000), 'invalid_request'],
  ])('reads %s as a single invalid message', (_, text, code) => {
    expect(sentBody(text).messages()).toMatchObject({
      batch: false,
      messages: [{ kind: 'invalid', id: null, refusal: { code } }],
    });
  });

  test('parses it once, whatever is asked of it', () => {
    const sent = sentBody(JSON.stringify([request(1)]));

    expect(sent.speaksRpc()).toBe(true);
    expect(sent.value()).toBe(sent.value());
    expect(sent.messages()).toBe(sent.messages());
  });

  test('accepts a batch of 100 messages and keeps their order', () => {
    const ids = Array.from({ length: 100 }, (_, index) => index);

    const { batch, messages } = body(ids.map((id) => request(id)));

    expect(batch).toBe(true);
    expect(messages.map((message) => ('id' in message ? message.id : undefined))).toEqual(ids);
  });

  test('refuses the invalid members of a batch one by one', () => {
    expect(body([1, request(2), null]).messages.map(({ kind }) => kind)).toEqual([
      'invalid',
      'request',
      'invalid',
    ]);
  });

  test('refuses initialize inside a batch and repeats its id', () => {
    expect(body([request(1, 'initialize'), request(2)]).messages).toMatchObject([
      { kind: 'invalid', id: 1, refusal: { code: 'invalid_request' } },
      { kind: 'request', id: 2 },
    ]);
  });

  test('does not mistake brackets in strings for nesting', () => {
    const params = { name: `"${'['.repeat(500)}\\"{{` };
    expect(body({ ...request(1), params }).messages[0]).toMatchObject({ kind: 'request', params });
  });

  test('accepts 200 levels of nesting, any number of times', () => {
    const levels = nested(198);
    const text = `{"jsonrpc":"2.0","id":1,"method":"ping","params":[${levels},${levels}]}`;
    expect(sentBody(text).messages().messages[0]).toMatchObject({ kind: 'request' });
  });
});

describe('counting the requests in a body', () => {
  test.each([
    ['a request', request(1), 1],
    ['a request of an unknown method', request(1, 'nothing'), 1],
    ['a ping', request(1, 'ping'), 0],
    ['a method of versions without a handshake', request(1, 'server/discover'), 1],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 0],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 0],
    ['an object that is not a message', { hello: 'world' }, 1],
    ['an empty batch', [], 1],
    ['a batch, item by item', [request(1), request(2, 'ping'), 7, request(3)], 3],
    ['a batch of notifications', [{ jsonrpc: '2.0', method: 'a' }], 0],
  ])('counts %s', (_, sent, cost) => {
    expect(costOf(body(sent))).toBe(cost);
  });

  test('counts malformed JSON as one', () => {
    expect(costOf(sentBody('{{{').messages())).toBe(1);
  });
});

describe('the ids that the refusal of a body repeats', () => {
  test.each([
    ['the id of a request', request(7), 7],
    ['null for an object that is not a message', {}, null],
    ['null for a notification', { jsonrpc: '2.0', method: 'a' }, null],
    ['a list for a batch', [request(1), 5, { jsonrpc: '2.0', method: 'a' }], [1, null]],
  ])('are %s', (_, sent, ids) => {
    expect(addressees(body(sent))).toEqual(ids);
  });
});

describe('the MCP-Protocol-Version header', () => {
  const given = body(request(7));

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', ' 2025-11-25 ', undefined])(
    'accepts %p',
    (header) => {
      expect(inKnownVersion(given, header)).toBe(given);
    },
  );

  test.each(['', '2026-07-28', '1.0', 'latest', '2025-03-26, 2025-06-18', 'toString'])(
    'refuses %p and repeats the request id',
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

  test('is ignored for initialize', () => {
    const initialize = body(request(1, 'initialize'));
    expect(inKnownVersion(initialize, '1.0')).toBe(initialize);
  });
});

describe('recognizing JSON-RPC', () => {
  test.each([
    ['accepts a request', JSON.stringify(request(1)), true],
    ['accepts a method that is not a string', '{"jsonrpc":"2.0","method":1}', true],
    ['accepts a batch with a request', JSON.stringify([{}, request(1)]), true],
    ['rejects another version', '{"jsonrpc":"1.0","method":"ping"}', false],
    ['rejects a missing method', '{"jsonrpc":"2.0"}', false],
    ['rejects a legacy call', '{"name":"getPets"}', false],
    ['rejects a batch of anything else', '[{},1,null]', false],
    ['rejects an empty batch', '[]', false],
    ['rejects null', 'null', false],
    ['rejects plain text', 'hello', false],
    ['rejects an empty body', '', false],
    ['rejects bytes that are not UTF-8', undefined, false],
  ])('%s', (_, text, speaks) => {
    expect(sentBody(text).speaksRpc()).toBe(speaks);
  });
});
