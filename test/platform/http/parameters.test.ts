import { describe, expect, test } from '@jest/globals';
import { bodyParameters, formParameters, jsonBody } from '../../../layers/platform/http/event.ts';
import { anEvent } from '../../support/mcp/router-events.ts';

describe('the parameters of a URL-encoded form', () => {
  test.each<[string, [string, string[]][]]>([
    ['', []],
    ['a=1', [['a', ['1']]]],
    [
      'a=1&b=2&a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    ['a', [['a', ['']]]],
    ['a=', [['a', ['']]]],
    ['=a', [['', ['a']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['&&a=1&', [['a', ['1']]]],
    ['a+b=c+d%20e%2Bf', [['a b', ['c d e+f']]]],
    ['a=%C3%BC%F0%9F%A6%80', [['a', ['ü🦀']]]],
    ['a=%00', [['a', ['\0']]]],
    ['__proto__=x', [['__proto__', ['x']]]],
    ['a=line\nend', [['a', ['line\nend']]]],
  ])('are parsed from %j', (text, expected) => {
    expect([...formParameters(text)]).toEqual(expected);
  });

  test.each(['a=%', 'a=%4', 'a=%zz', 'a=%ff', 'a=%C0%AF', 'a=%ED%A0%80', '%ff=a'])(
    'are refused for the invalid encoding %j',
    (text) => {
      expect(() => formParameters(text)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
    },
  );
});

const sent = (type: string | undefined, body?: string) =>
  anEvent('POST', '/token', {
    headers: { 'content-type': type },
    ...(body !== undefined && { body }),
  });

describe('the parameters of a request body', () => {
  test.each([
    ['application/x-www-form-urlencoded', 'a=1'],
    ['Application/X-WWW-Form-Urlencoded; charset=UTF-8', 'a=1'],
    ['application/json', '{"a":"1"}'],
    ['application/json;charset=utf-8', '{"a":"1"}'],
  ])('are read from the media type %s', (type, body) => {
    expect([...bodyParameters(sent(type, body))]).toEqual([['a', ['1']]]);
  });

  test('may have any JSON value', () => {
    const body = '{"a":["1","2"],"b":null,"__proto__":1}';

    expect([...bodyParameters(sent('application/json', body))]).toEqual([
      ['a', [['1', '2']]],
      ['b', [null]],
      ['__proto__', [1]],
    ]);
  });

  test('are empty without a body', () => {
    expect([...bodyParameters(sent('application/x-www-form-urlencoded'))]).toEqual([]);
  });

  test.each([
    ['application/json', ''],
    ['application/json', '[]'],
    ['application/json', 'null'],
    ['application/json', '{"a":'],
    ['application/json', `{"a":"${'x'.repeat(70_000)}"}`],
    ['application/jsonp', '{}'],
    ['text/plain', 'a=1'],
    ['', 'a=1'],
    [undefined, 'a=1'],
  ])('are refused if body or media type is invalid: %j', (type, body) => {
    expect(() => bodyParameters(sent(type, body))).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});

describe('a JSON request body', () => {
  test('may be any JSON value', () => {
    expect(jsonBody(sent('application/json', '[1]'))).toEqual([1]);
  });

  test.each([
    ['application/json', '{'],
    ['application/json', undefined],
    ['application/json', `"${'x'.repeat(70_000)}"`],
    ['text/plain', '{}'],
  ])('is undefined if body or media type is invalid: %j', (type, body) => {
    expect(jsonBody(sent(type, body))).toBeUndefined();
  });
});
