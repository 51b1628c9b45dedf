import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { answerContent } from '../../../layers/core/domain/tools/index.ts';
import type { TargetAnswer } from '../../../layers/core/domain/target.ts';

const anAnswer = (
  contentType: string | undefined,
  body: string | readonly number[],
  rest: Partial<TargetAnswer> = {},
): TargetAnswer => ({
  status: 200,
  headers: contentType === undefined ? {} : { 'content-type': contentType },
  body: typeof body === 'string' ? Buffer.from(body, 'utf8') : Uint8Array.from(body),
  ...rest,
});

const textOf = (answer: TargetAnswer, method?: string): string => {
  const { content } = answerContent(answer, method);
  expect(content).toHaveLength(1);
  return content[0]?.type === 'text' ? content[0].text : '';
};

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0];
const JPEG = [0xff, 0xd8, 0xff, 0xe0, 0];
const WEBP = [...Buffer.from('RIFF\0\0\0\0WEBPVP8 ')];
const latin1 = (text: string) => [...Buffer.from(text, 'latin1')];
const utf16 = (text: string) => [...Buffer.from(text, 'utf16le')];

describe('an answer of text', () => {
  test.each([
    ['application/json', '{"a": 1.0,\r\n "b":"\\u00fc"}'],
    ['application/problem+json; charset=utf-8', '{}'],
    ['application/vnd.api+json', ' [ ] '],
    ['text/html', '<b>ü</b>'],
    ['application/xml', '<a/>'],
    ['image/svg+xml', '<svg/>'],
    ['application/yaml', 'a: 1'],
    ['application/x-ndjson', '{}\n{}\n'],
    ['application/octet-stream', 'plain text after all'],
    ['image/png', '{"error":"wrong type"}'],
    ['nonsense', 'text'],
    [undefined, '{"no":"type"}'],
  ])('is one text as it was sent: %s', (type, body) => {
    expect(answerContent(anAnswer(type, body))).toEqual({
      content: [{ type: 'text', text: body }],
    });
  });

  test.each([
    ['UTF-8 without a word', 'application/json', [...Buffer.from('"ü€"')], '"ü€"'],
    ['a byte order mark', 'application/json', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], '{}'],
    ['Latin-1', 'text/plain; charset=ISO-8859-1', latin1('ü'), 'ü'],
    ['a charset in quotes', 'text/plain; charset="latin1"', latin1('ü'), 'ü'],
    ['Shift JIS', 'text/html; charset=Shift_JIS', [0x93, 0xfa], '日'],
    ['UTF-16 by name', 'text/plain; charset=utf-16le', utf16('ü'), 'ü'],
    ['UTF-16 by mark', 'text/plain; charset=utf-8', [0xff, 0xfe, ...utf16('ü')], 'ü'],
    ['UTF-16 without a type', undefined, [0xfe, 0xff, 0, 0x61], 'a'],
    ['Latin-1 of the older web', 'text/html', latin1('für'), 'für'],
    ['an unknown charset', 'text/plain; charset=klingon', [...Buffer.from('ü')], 'ü'],
    ['what is no character', 'application/json', [0x22, 0xff, 0x22], '"\ufffd"'],
  ])('is decoded: %s', (_, type, bytes, text) => {
    expect(textOf(anAnswer(type, bytes))).toBe(text);
  });
});

describe('an answer of bytes', () => {
  const base64 = (bytes: readonly number[]) => Buffer.from(bytes).toString('base64');

  test.each([
    ['image/png', PNG, 'image', 'image/png'],
    ['IMAGE/JPEG; q=1', JPEG, 'image', 'image/jpeg'],
    ['audio/mpeg', [0xff, 0xfb, 0], 'audio', 'audio/mpeg'],
    ['application/octet-stream', PNG, 'image', 'image/png'],
    [undefined, JPEG, 'image', 'image/jpeg'],
    ['text/plain', WEBP, 'image', 'image/webp'],
    ['text/plain', [...Buffer.from('GIF89a'), 0], 'image', 'image/gif'],
  ])('is a picture or a sound: %s', (type, bytes, kind, mimeType) => {
    expect(answerContent(anAnswer(type, bytes))).toEqual({
      content: [{ type: kind, data: base64(bytes), mimeType }],
    });
  });

  test.each([
    ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0], 'application/pdf'],
    [undefined, [0, 1, 2], 'application/octet-stream'],
    ['text/plain', [0x50, 0x4b, 3, 4, 0], 'application/octet-stream'],
    ['font/woff2', [0xff, 0], 'font/woff2'],
  ])('is otherwise a resource named by its hash: %s', (type, bytes, mimeType) => {
    const hash = createHash('sha256').update(Uint8Array.from(bytes)).digest('base64url');

    const { content } = answerContent(anAnswer(type, bytes));

    const uri = `ni:///sha-256;${hash}`;
    expect(content).toEqual([
      { type: 'resource', resource: { uri, mimeType, blob: base64(bytes) } },
    ]);
    expect(URL.canParse(uri)).toBe(true);
  });
});

describe('an answer without a body', () => {
  test.each([
    [204, {}, 'HTTP 204 No Content: the target API answered without a body.'],
    [200, {}, 'HTTP 200 OK: the target API answered without a body.'],
    [299, {}, 'HTTP 299: the target API answered without a body.'],
    [
      201,
      { location: '/things/7' },
      'HTTP 201 Created: the target API answered without a body. Its Location header is /things/7',
    ],
  ])('says so in words: %s', (status, headers, text) => {
    expect(answerContent(anAnswer(undefined, '', { status, headers }))).toEqual({
      content: [{ type: 'text', text }],
    });
  });

  test('to HEAD is its headers, without cookies', () => {
    const headers = { 'content-length': '12', etag: '"a"', 'set-cookie': 'sid=secret' };

    expect(textOf(anAnswer(undefined, '', { headers }), 'HEAD')).toBe(
      'HTTP 200 OK\ncontent-length: 12\netag: "a"',
    );
  });
});

describe('an answer of a failure', () => {
  test.each([
    [404, 'application/json', '{"message":"no"}', 'HTTP 404 Not Found\n\n{"message":"no"}'],
    [500, 'text/plain', 'oops', 'HTTP 500 Internal Server Error\n\noops'],
    [599, undefined, 'x', 'HTTP 599\n\nx'],
    [400, undefined, '', 'HTTP 400 Bad Request: the target API answered without a body.'],
  ])('is an error with the status and the body: %s', (status, type, body, text) => {
    expect(answerContent(anAnswer(type, body, { status }))).toEqual({
      content: [{ type: 'text', text }],
      isError: true,
    });
  });

  test('keeps a picture beside the status', () => {
    expect(answerContent(anAnswer('image/png', PNG, { status: 403 }))).toEqual({
      content: [
        { type: 'text', text: "HTTP 403 Forbidden\n\nThe answer's body is image/png." },
        { type: 'image', data: Buffer.from(PNG).toString('base64'), mimeType: 'image/png' },
      ],
      isError: true,
    });
  });

  test.each([200, 302, 399])('begins at 400: %s is none', (status) => {
    expect(answerContent(anAnswer(undefined, 'x', { status }))).not.toHaveProperty('isError');
  });
});

describe('an answer that is too long', () => {
  const HOW =
    'To get less, use arguments of this tool that page, filter or limit the answer or select fields, if it has any, or ask for single items.]';

  test.each([
    [
      'at a known length',
      'abc',
      { totalBytes: 10 },
      'abc',
      'the first 3 of 10 bytes are shown, 7 are missing',
    ],
    [
      'at an unknown length',
      'abc',
      {},
      'abc',
      'the first 3 bytes are shown, how many are missing is not known',
    ],
    [
      'at a length that cannot be',
      'abc',
      { totalBytes: 2 },
      'abc',
      'the first 3 bytes are shown, how many are missing is not known',
    ],
  ])('ends with a note on what is missing, %s', (_, body, cut, shown, missing) => {
    expect(textOf(anAnswer('text/plain', body, { cut }))).toBe(
      `${shown}\n\n[The answer is too long and was cut here: ${missing}. ${HOW}`,
    );
  });

  test.each([
    ['UTF-8', 'application/json', [...Buffer.from('aü').subarray(0, 2)], 'a'],
    ['UTF-8 text', 'text/plain', [...Buffer.from('a😀').subarray(0, 4)], 'a'],
    ['UTF-16', 'text/plain; charset=utf-16le', [0x61, 0, 0x62], 'a'],
    ['no known type', undefined, [...Buffer.from('a€').subarray(0, 3)], 'a'],
  ])('is never cut within a character: %s', (_, type, bytes, text) => {
    expect(textOf(anAnswer(type, bytes, { cut: {} }))).toMatch(
      new RegExp(`^${text}\\n\\n\\[The answer is too long`),
    );
  });

  test.each([
    ['at a known length', { totalBytes: 5_000_000 }, 'image/png of 5000000 bytes'],
    ['at an unknown length', {}, 'image/png of more than 10 bytes'],
  ])('is an error instead of half a picture, %s', (_, cut, what) => {
    const result = answerContent(anAnswer('image/png', PNG, { cut }));

    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    expect(JSON.stringify(result)).toContain(what);
  });

  const MIB = 1024 * 1024;

  test.each([
    ['control characters', '\u0001', 4 * MIB],
    ['quotes', '"', 4 * MIB],
    ['newlines', '\n', 4 * MIB],
    ['backslashes', '\\', 4 * MIB],
    ['astral characters', '😀', MIB],
    ['euro signs', '€', MIB + MIB / 3],
  ])('fits what a function may return, however it is escaped: %s', (_, character, count) => {
    const answer = anAnswer('text/plain', character.repeat(count));

    const serialized = JSON.stringify(JSON.stringify(answerContent(answer)));

    expect(Buffer.byteLength(serialized)).toBeLessThanOrEqual(5.5 * MIB);
    expect(serialized).not.toMatch(/\\ud[89a-f]/);
  });

  test('is not cut while it fits', () => {
    const text = 'x'.repeat(4 * MIB);

    expect(textOf(anAnswer('text/plain', text))).toBe(text);
  });

  test('says how much of it is missing when only escaping made it too long', () => {
    const text = textOf(anAnswer('text/plain', '"'.repeat(4 * MIB)));

    const [, shown, total, missing] =
      /the first (\d+) of (\d+) bytes are shown, (\d+) are missing/.exec(text) ?? [];
    expect(text.lastIndexOf('"') + 1).toBe(Number(shown));
    expect(Number(total)).toBe(4 * MIB);
    expect(Number(missing)).toBe(4 * MIB - Number(shown));
  });

  test('a whole picture of the largest size passes, a larger one is an error', () => {
    const picture = (bytes: number) =>
      anAnswer(undefined, '', {
        headers: { 'content-type': 'image/png' },
        body: Buffer.concat([Uint8Array.from(PNG), new Uint8Array(bytes - PNG.length)]),
      });

    expect(answerContent(picture(4 * MIB)).content[0]).toMatchObject({ type: 'image' });
    expect(answerContent(picture(4.2 * MIB)).isError).toBe(true);
  });
});
