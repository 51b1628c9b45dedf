import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { answerContent } from '../../../layers/tools/answer/answer-content.ts';
import { maskingOf } from '../../../layers/tools/masking/mask-secrets.ts';
import {
  MOST_PART_BYTES,
  replyPartUri,
  MOST_RESULT_BYTES,
} from '../../../layers/tools/answer/result-continuation.ts';
import type { TargetAnswer } from '../../../layers/target/rules/target.ts';

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

const MIB = 1024 * 1024;

const masking = maskingOf([], undefined);

const contentOf = (answer: TargetAnswer, method = 'GET') =>
  answerContent(answer, { masking, method, maxBytes: 4.5 * MIB, maxWireBytes: MOST_RESULT_BYTES });

const resultOf = (answer: TargetAnswer, method?: string) => contentOf(answer, method).result;

const textOf = (answer: TargetAnswer, method?: string): string => {
  const { content } = resultOf(answer, method);
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
    expect(resultOf(anAnswer(type, body))).toEqual({
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
    ['Windows-1252', 'application/x-own; charset=windows-1252', [0x80, 0x93], '€“'],
    [
      'XML that names its charset',
      'application/xml',
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>'),
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>',
    ],
    [
      'XML of another charset than its sender says',
      'text/xml; charset=utf-8',
      [...Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>')],
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>',
    ],
    [
      'XML that names a charset it cannot be in',
      'application/xml',
      [...Buffer.from("<?xml version='1.0' encoding='utf-16'?><a>ü</a>")],
      "<?xml version='1.0' encoding='utf-16'?><a>ü</a>",
    ],
    [
      'HTML that names its charset',
      'text/html',
      [...Buffer.from('<meta charset="Shift_JIS">'), 0x93, 0xfa],
      '<meta charset="Shift_JIS">日',
    ],
    [
      'HTML whose first meta names no charset',
      'text/html',
      [...Buffer.from('<meta name=x><META <meta CHARSET = " shift_jis">'), 0x93, 0xfa],
      '<meta name=x><META <meta CHARSET = " shift_jis">日',
    ],
    [
      'HTML that names its charset as a type',
      'text/html',
      [...Buffer.from("<meta http-equiv=x content='text/html; charset=shift_jis'>"), 0x93, 0xfa],
      "<meta http-equiv=x content='text/html; charset=shift_jis'>日",
    ],
    ['JSON in UTF-16 without a word', 'application/json', utf16('{"a":"ü"}'), '{"a":"ü"}'],
    [
      'JSON in UTF-16 without a word, big end first',
      'application/json',
      [...Buffer.from('{"a":"ü"}', 'utf16le').swap16()],
      '{"a":"ü"}',
    ],
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
    ['image/png; charset=utf-8', PNG, 'image', 'image/png'],
    ['text/html; charset=iso-8859-1', PNG, 'image', 'image/png'],
    ['application/octet-stream', [...Buffer.from('RIFF\0\0\0\0WAVEfmt ')], 'audio', 'audio/wav'],
    [undefined, [...Buffer.from('ID3\0')], 'audio', 'audio/mpeg'],
  ])('is a picture or a sound: %s', (type, bytes, kind, mimeType) => {
    expect(resultOf(anAnswer(type, bytes))).toEqual({
      content: [{ type: kind, data: base64(bytes), mimeType }],
    });
  });

  test.each([
    ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0], 'application/pdf'],
    [undefined, [0, 1, 2], 'application/octet-stream'],
    ['text/plain', [0x50, 0x4b, 3, 4, 0], 'application/zip'],
    ['application/octet-stream', [...Buffer.from('%PDF-1.7\0')], 'application/pdf'],
    ['application/json', [0x1f, 0x8b, 8, 0], 'application/gzip'],
    ['application/pdf; charset=utf-8', [...Buffer.from('%PDF-1.7\0')], 'application/pdf'],
    ['application/x-own; charset=latin1', [0xe9, 1], 'application/x-own'],
    ['text/plain; charset=utf-8', [0, 0xe9, 1], 'application/octet-stream'],
    ['font/woff2', [0xff, 0], 'font/woff2'],
  ])('is otherwise a resource named by its hash: %s', (type, bytes, mimeType) => {
    const hash = createHash('sha256').update(Uint8Array.from(bytes)).digest('base64url');

    const { content } = resultOf(anAnswer(type, bytes));

    const uri = `ni:///sha-256;${hash}`;
    expect(content).toEqual([
      { type: 'resource', resource: { uri, mimeType, blob: base64(bytes) } },
    ]);
    expect(URL.canParse(uri)).toBe(true);
  });
});

describe('an answer without a body', () => {
  test.each(['\n', ' \r\n\t'])('is also one of white space alone', (body) => {
    expect(textOf(anAnswer('text/plain', body, { status: 201 }))).toBe(
      'HTTP 201 Created: the target API answered with white space alone.',
    );
  });

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
    expect(resultOf(anAnswer(undefined, '', { status, headers }))).toEqual({
      content: [{ type: 'text', text }],
    });
  });

  test('shows the beginning of an address that is as long as all headers may be', () => {
    const location = `/things/${'7'.repeat(15_000)}`;
    const texts = [201, 307].map((status) =>
      JSON.stringify(
        resultOf(anAnswer(undefined, '', { status, headers: { location } }), 'POST').content,
      ),
    );

    for (const text of texts) {
      expect(text).toContain('/things/777');
      expect(text.length).toBeLessThan(1000);
    }
  });

  test('of a redirect to a long address says where it comes from in few words', () => {
    const url = `https://api.example.com/${'a'.repeat(15_000)}`;
    const redirected = { status: 302, method: 'POST', url, isGet: true } as const;
    const { content } = resultOf(anAnswer('text/plain', 'fine', { redirected }));

    expect(JSON.stringify(content).length).toBeLessThan(1000);
    expect(content).toContainEqual({ type: 'text', text: 'fine' });
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
    expect(resultOf(anAnswer(type, body, { status }))).toEqual({
      content: [{ type: 'text', text }],
      isError: true,
    });
  });

  test('keeps a picture beside the status', () => {
    expect(resultOf(anAnswer('image/png', PNG, { status: 403 }))).toEqual({
      content: [
        { type: 'text', text: "HTTP 403 Forbidden\n\nThe answer's body is image/png." },
        { type: 'image', data: Buffer.from(PNG).toString('base64'), mimeType: 'image/png' },
      ],
      isError: true,
    });
  });

  test.each([200, 300, 399])('begins at 400: %s is none', (status) => {
    expect(resultOf(anAnswer(undefined, 'x', { status }))).not.toHaveProperty('isError');
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
    const result = resultOf(anAnswer('image/png', PNG, { cut }));

    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    expect(JSON.stringify(result)).toContain(what);
  });

  test.each([
    ['control characters', '\u0001', 4 * MIB],
    ['quotes', '"', 4 * MIB],
    ['newlines', '\n', 4 * MIB],
    ['backslashes', '\\', 4 * MIB],
    ['astral characters', '😀', MIB],
    ['euro signs', '€', MIB + MIB / 3],
  ])('fits what a function may return, however it is escaped: %s', (_, character, count) => {
    const answer = anAnswer('text/plain', character.repeat(count));

    const serialized = JSON.stringify(JSON.stringify(resultOf(answer)));

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

    expect(resultOf(picture(4 * MIB)).content[0]).toMatchObject({ type: 'image' });
    expect(resultOf(picture(4.2 * MIB)).isError).toBe(true);
  });
});

describe('an answer that is too long and can be stored', () => {
  const ID = 'a'.repeat(64);
  const UNTIL = Date.UTC(2026, 10, 20, 12, 10) / 1000;
  const HOW =
    'To get less, use arguments of this tool that page, filter or limit the answer or select fields, if it has any, or ask for single items.]';

  /** What a client is shown, and what it reads after that. */
  const kept = (answer: TargetAnswer, over: Partial<Parameters<typeof answerContent>[1]> = {}) => {
    const terms = { masking, method: 'GET', maxBytes: 4, maxWireBytes: MOST_RESULT_BYTES, ...over };
    const { rest } = answerContent(answer, terms);
    const parts = rest?.parts() ?? [];
    const uris = parts.map((_, index) => replyPartUri(ID, index + 1));
    const result = rest?.withNote({ uris, until: UNTIL });
    const [item] = result?.content ?? [];
    const text = item?.type === 'text' ? item.text : '';
    return { result, parts, uris, text };
  };

  test('shows its beginning, and says where the rest is and until when', () => {
    const { parts, text } = kept(anAnswer('text/plain', 'abcdefg'));

    expect(parts).toEqual([{ form: 'text', text: 'efg' }]);
    expect(text).toBe(
      'abcd\n\n[The answer is too long for one result and was cut here: the first 4 bytes are shown, ' +
        'the remaining 3 bytes are kept until 2026-11-20T12:10:00Z for resources/read ' +
        `by the same caller, in one part:\nkept-answer://${ID}/1\n${HOW}`,
    );
  });

  test.each([
    [
      'how much is lost',
      { totalBytes: 10, missingBytes: 3 },
      '3 of the 10 bytes that the target API announced',
    ],
    ['that nobody knows how much is lost', {}, 'how much that is, the target API did not say'],
  ])('says %s beyond what was read', (_, cut, lost) => {
    const { text } = kept(anAnswer('text/plain', 'abcdefg', { cut }));

    expect(text).toContain('the first 4 bytes are shown, the next 3 bytes are kept until ');
    expect(text).toContain(
      `\nWhat comes after them was not read and is lost: ${lost}. To get less`,
    );
  });

  test('is an error below its status where it is one, and only there', () => {
    const { result, text, parts } = kept(anAnswer('text/plain', 'abcdefg', { status: 500 }));

    expect(result?.isError).toBe(true);
    expect(text).toMatch(/^HTTP 500 Internal Server Error\n\nabcd\n\n\[/);
    expect(parts).toEqual([{ form: 'text', text: 'efg' }]);
    expect(kept(anAnswer('text/plain', 'abcdefg')).result).not.toHaveProperty('isError');
  });

  test.each([
    ['UTF-8', 'text/plain', [...Buffer.from('aaü😀b€')], ['aaü', '😀b€']],
    ['an astral character at the limit', 'text/plain', [...Buffer.from('a😀')], ['a', '😀']],
    ['UTF-16', 'text/plain; charset=utf-16le', utf16('aaü😀'), ['aaü', '😀']],
  ])('is never cut within a character: %s', (_, type, bytes, [shown = '', next]) => {
    const { text, parts } = kept(anAnswer(type, bytes));

    expect(text.startsWith(`${shown}\n\n[`)).toBe(true);
    expect(parts).toEqual([{ form: 'text', text: next }]);
  });

  const long = (characters: string, bytes: number) =>
    characters.repeat(Math.ceil(bytes / Buffer.byteLength(characters)));

  test.each([
    ['plain text', long('text, ', 10 * MIB)],
    ['characters of every length', long('aü€😀', 10 * MIB)],
    ['control characters', long('\u0001\n"', 10 * MIB)],
  ])('is all there, in pieces that fit a result each: %s', (_, whole) => {
    const answer = anAnswer('text/plain', whole);
    const { parts, uris, text } = kept(answer, { maxBytes: 4 * MIB });

    const texts = parts.map((part) => (part.form === 'text' ? part.text : ''));
    const shown = text.slice(0, text.lastIndexOf('\n\n[The answer is too long'));
    expect(shown + texts.join('') === whole).toBe(true);
    for (const [index, part] of texts.entries()) {
      const contents = [{ uri: uris[index], mimeType: 'text/plain', text: part }];
      const serialized = JSON.stringify(JSON.stringify({ contents }));
      expect(Buffer.byteLength(serialized)).toBeLessThanOrEqual(MOST_RESULT_BYTES);
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(MOST_PART_BYTES);
      expect(part.isWellFormed()).toBe(true);
    }
    const [, shownBytes, keptBytes] =
      /first (\d+) bytes are shown, the remaining (\d+)/.exec(text) ?? [];
    expect(Number(shownBytes)).toBe(Buffer.byteLength(shown));
    expect(Number(shownBytes) + Number(keptBytes)).toBe(Buffer.byteLength(whole));
  });

  test('takes at most its share of the result', () => {
    const { text, parts } = kept(anAnswer('text/plain', 'x'.repeat(10_000)), {
      maxBytes: 4 * MIB,
      maxWireBytes: 3000,
    });

    expect(text.indexOf('\n')).toBe(3000 - 2048);
    expect(parts).toEqual([{ form: 'text', text: 'x'.repeat(10_000 - (3000 - 2048)) }]);
  });

  const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => index % 256);

  test('is named and given in pieces if it is no text, and is no error for that', () => {
    const body = Buffer.concat([Uint8Array.from(PNG), bytes(9 * MIB)]);
    const answer = { ...anAnswer('image/png', ''), body };
    const { result, parts, uris, text } = kept(answer, { maxBytes: 4 * MIB });

    expect(result).not.toHaveProperty('isError');
    expect(text).toBe(
      `The answer is image/png of ${body.length} bytes, which is more than this result can hold. They are ` +
        'kept until 2026-11-20T12:10:00Z for resources/read by the same caller, in 3 parts, ' +
        `in this order:\n${uris.join('\n')}`,
    );
    const pieces = parts.map((part) => (part.form === 'bytes' ? part.bytes : new Uint8Array()));
    expect(Buffer.concat(pieces).equals(body)).toBe(true);
    for (const piece of pieces) {
      expect(Buffer.from(piece).toString('base64').length).toBeLessThan(MOST_RESULT_BYTES - 2048);
    }
  });

  test('is an error with the status if it is no text and the target says so', () => {
    const { result, text } = kept(anAnswer('image/png', PNG, { status: 502 }));

    expect(result?.isError).toBe(true);
    expect(text).toMatch(/^HTTP 502 Bad Gateway\n\nThe answer is image\/png of 10 bytes/);
  });

  test('is not stored in part where a part of it is useless', () => {
    expect(contentOf(anAnswer('image/png', PNG, { cut: {} })).rest).toBeUndefined();
  });

  test.each([
    ['what fits', anAnswer('text/plain', 'abc')],
    ['what is shown and goes on unread', anAnswer('text/plain', 'abc', { cut: {} })],
    ['a picture that fits', anAnswer('image/png', PNG)],
    ['nothing', anAnswer(undefined, '')],
  ])('is no question for %s', (_, answer) => {
    expect(contentOf(answer)).not.toHaveProperty('rest');
  });

  test('says what is missing where nothing could be stored', () => {
    const { result } = answerContent(anAnswer('text/plain', 'abcdefg'), {
      masking,
      method: 'GET',
      maxBytes: 4,
      maxWireBytes: MOST_RESULT_BYTES,
    });

    expect(result.content).toEqual([
      {
        type: 'text',
        text: `abcd\n\n[The answer is too long and was cut here: the first 4 of 7 bytes are shown, 3 are missing. ${HOW}`,
      },
    ]);
  });
});
