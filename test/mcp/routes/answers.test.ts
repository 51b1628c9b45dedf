import { createHash } from 'node:crypto';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import { aParameter, aTool } from '../../support/mcp/router-tools.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const MIB = 1024 * 1024;

/** What the target says, and what a client is told. */
interface Row {
  readonly status?: number;
  /** Default 200 with these headers and this body. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly method?: 'HEAD';
  readonly told: object;
}

let router: TestRouter;
let target: TargetServer;

beforeAll(async () => {
  target = await anHttpServer(({ url = '' }, response) => {
    const [, group = '', name = ''] = decodeURIComponent(url).split('/');
    const { status = 200, headers = {}, body = '' } = ROWS[group]?.[name] ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  });
  router = await startRouter();
  const parameters = [aParameter('group', 'path', true), aParameter('name', 'path', true)];
  const schema = { properties: { group: { type: 'string' }, name: { type: 'string' } } };
  const ask = (method: string) =>
    aTool(method, target.url, {
      schema,
      operation: { method, path: '/{group}/{name}', parameters, accept: ['*/*'] },
    });
  await router.publish(
    'answers',
    { answerTokenBudget: null },
    { tools: [ask('GET'), ask('HEAD')] },
  );
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});

const answerTo = async (group: string, name: string, method = 'GET') => {
  const call = rpc('tools/call', { name: method, arguments: { group, name } });
  const reply = await router.send(post(at('answers', '/messages'), call, {}, anAddress()));
  expect(reply.statusCode).toBe(200);
  const text = Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8').toString();
  const { result, error } = JSON.parse(text.replace(SHOWN, SHOWN_NAME));
  return result ?? error;
};

/** What is shown of a long text, and how rows name it: a regular expression for it would take too deep a stack. */
const SHOWN = 'x'.repeat(4 * MIB);
const SHOWN_NAME = '<4 MiB of x>';

const type = (contentType: string) => ({ 'content-type': contentType });
const aText = (text: unknown) => ({ content: [{ type: 'text', text }] });
const anError = (text: unknown) => ({ ...aText(text), isError: true });
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const media = (kind: 'image' | 'audio', mimeType: string, bytes: Uint8Array) => ({
  content: [{ type: kind, data: base64(bytes), mimeType }],
});
const file = (mimeType: string, bytes: Uint8Array) => {
  const uri = `ni:///sha-256;${createHash('sha256').update(bytes).digest('base64url')}`;
  return { content: [{ type: 'resource', resource: { uri, mimeType, blob: base64(bytes) } }] };
};
const noAnswer = (reason: string) => ({
  code: -32000,
  message: expect.any(String),
  data: { reason },
});

const sent = (contentType: string, body: string): Row => ({
  headers: type(contentType),
  body,
  told: aText(body),
});
const inBytes = (contentType: string | undefined, body: Uint8Array, told: unknown): Row => ({
  headers: contentType === undefined ? {} : type(contentType),
  body,
  told: typeof told === 'string' ? aText(told) : (told as object),
});
const encoded = (encoding: string, body: Uint8Array | string, told: object): Row => ({
  headers: { ...type('application/json'), 'content-encoding': encoding },
  body,
  told,
});

const utf16 = (text: string, order: 'le' | 'be' = 'le') => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const ascii = (text: string, ...more: number[]) =>
  Buffer.concat([Buffer.from(text), Uint8Array.from(more)]);

const JSON_TEXT = '{"a": 1.0,\r\n "b":"\\u00fc ü", "c": 12345678901234567890}';
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]);
const SOUND = Buffer.from([0xff, 0xfb, 0x90, 0]);
const PDF = ascii('%PDF-1.7\n', 0xe2, 0xe3, 0);
const ZIP = ascii('PK', 3, 4, 0, 0);
const NOISE = Buffer.from([0, 1, 2, 254, 255]);

/** A row for each way in which APIs answer. */
const ROWS: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  text: {
    plain: sent('text/plain', 'Grüße\r\n\ttabs, 😀 and NUL-free'),
    'plain without a charset': sent('text/plain', 'ü€😀'),
    html: sent('text/html; charset=utf-8', '<!doctype html><p>ü'),
    csv: sent('text/csv', 'a,b\n1,"ü"\n'),
    markdown: sent('text/markdown', '# ü'),
    xml: sent('application/xml', '<?xml version="1.0"?><a>ü</a>'),
    atom: sent('application/atom+xml', '<feed/>'),
    yaml: sent('application/yaml', 'a: ü\n'),
    script: sent('application/javascript', 'alert("ü")'),
    events: sent('text/event-stream', 'data: ü\n\n'),
    form: sent('application/x-www-form-urlencoded', 'a=%C3%BC'),
    drawing: sent('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  },
  JSON: {
    'as it was sent': sent('application/json', JSON_TEXT),
    'with a charset': sent('application/json; charset=UTF-8', JSON_TEXT),
    'of a problem': {
      status: 422,
      headers: type('application/problem+json'),
      body: '{"title":"no"}',
      told: anError('HTTP 422 Unprocessable Content\n\n{"title":"no"}'),
    },
    'of a vendor': sent('application/vnd.github.v3+json', '[]'),
    'in lines': sent('application/x-ndjson', '{"a":1}\n{"a":2}\n'),
    'that is malformed': sent('application/json', '{"a":'),
    'of one value': sent('application/json', 'null'),
    'nested deeply': sent('application/json', '['.repeat(5000) + ']'.repeat(5000)),
  },
  images: {
    png: inBytes('image/png', PICTURE, media('image', 'image/png', PICTURE)),
    jpeg: inBytes('IMAGE/JPEG; q=1', JPEG, media('image', 'image/jpeg', JPEG)),
    'of a type that is unknown': inBytes(
      'image/x-own',
      NOISE,
      media('image', 'image/x-own', NOISE),
    ),
    'of a failure': {
      status: 500,
      headers: type('image/png'),
      body: PICTURE,
      told: {
        content: [
          {
            type: 'text',
            text: "HTTP 500 Internal Server Error\n\nThe answer's body is image/png.",
          },
          ...media('image', 'image/png', PICTURE).content,
        ],
        isError: true,
      },
    },
  },
  audio: {
    mpeg: inBytes('audio/mpeg', SOUND, media('audio', 'audio/mpeg', SOUND)),
    wav: inBytes('audio/wav', NOISE, media('audio', 'audio/wav', NOISE)),
  },
  'binary data': {
    pdf: inBytes('application/pdf', PDF, file('application/pdf', PDF)),
    zip: inBytes('application/zip', ZIP, file('application/zip', ZIP)),
    video: inBytes('video/mp4', NOISE, file('video/mp4', NOISE)),
    'of an unknown type': inBytes(
      'application/octet-stream',
      NOISE,
      file('application/octet-stream', NOISE),
    ),
    'with a charset': inBytes('application/pdf;charset=UTF-8', PDF, file('application/pdf', PDF)),
  },
  'an empty body': {
    'with 204': {
      status: 204,
      told: aText('HTTP 204 No Content: the target API answered without a body.'),
    },
    'with 200': {
      headers: { ...type('application/json'), 'content-length': '0' },
      told: aText('HTTP 200 OK: the target API answered without a body.'),
    },
    'with 201': {
      status: 201,
      headers: { location: '/things/7' },
      told: aText(
        'HTTP 201 Created: the target API answered without a body. Its Location header is /things/7',
      ),
    },
    'with 304': {
      status: 304,
      told: aText('HTTP 304 Not Modified: the target API answered without a body.'),
    },
    'with 500': {
      status: 500,
      told: anError('HTTP 500 Internal Server Error: the target API answered without a body.'),
    },
    'that is said to be compressed': {
      headers: { 'content-encoding': 'gzip' },
      told: aText('HTTP 200 OK: the target API answered without a body.'),
    },
    'to HEAD': {
      method: 'HEAD',
      headers: { 'content-length': '12', etag: '"a"', 'set-cookie': 'sid=1' },
      told: aText(
        expect.stringMatching(/^HTTP 200 OK\ncontent-length: 12\netag: "a"\ndate: [^\n]+$/),
      ),
    },
  },
  'a wrong content type': {
    'JSON as HTML': sent('text/html', '{"a":"ü"}'),
    'JSON as bytes': sent('application/octet-stream', '{"a":"ü"}'),
    'JSON as a picture': sent('image/png', '{"error":"ü"}'),
    'JSON without one': inBytes(undefined, Buffer.from('{"a":"ü"}'), '{"a":"ü"}'),
    'JSON with a malformed one': sent('json', '{}'),
    'JSON with two': sent('application/json, text/html', '{}'),
    'a picture as text': inBytes('text/plain', PICTURE, media('image', 'image/png', PICTURE)),
    'a picture as JSON': inBytes('application/json', JPEG, media('image', 'image/jpeg', JPEG)),
    'a picture as HTML with a charset': inBytes(
      'text/html; charset=utf-8',
      PICTURE,
      media('image', 'image/png', PICTURE),
    ),
    'a picture as bytes': inBytes(
      'application/octet-stream',
      PICTURE,
      media('image', 'image/png', PICTURE),
    ),
    'a picture without one': inBytes(undefined, JPEG, media('image', 'image/jpeg', JPEG)),
    'a PDF as text': inBytes('text/plain; charset=utf-8', PDF, file('application/pdf', PDF)),
    'bytes as text': inBytes('text/plain', NOISE, file('application/octet-stream', NOISE)),
    'bytes without one': inBytes(undefined, NOISE, file('application/octet-stream', NOISE)),
  },
  'a charset': {
    'utf-8 with a BOM': inBytes('application/json', ascii('', 0xef, 0xbb, 0xbf, 0x7b, 0x7d), '{}'),
    'utf-16 with a BOM, little-endian': inBytes(
      'text/plain; charset=utf-16',
      Buffer.concat([Uint8Array.of(0xff, 0xfe), utf16('aü😀')]),
      'aü😀',
    ),
    'utf-16 with a BOM, big-endian': inBytes(
      'text/plain; charset=utf-16',
      Buffer.concat([Uint8Array.of(0xfe, 0xff), utf16('aü😀', 'be')]),
      'aü😀',
    ),
    'utf-16le': inBytes('text/plain; charset=UTF-16LE', utf16('aü😀'), 'aü😀'),
    'utf-16be': inBytes('application/json; charset=utf-16be', utf16('"ü"', 'be'), '"ü"'),
    'utf-16 undeclared': inBytes('application/json', utf16('{"a":"ü"}'), '{"a":"ü"}'),
    shift_jis: inBytes('text/plain; charset=Shift_JIS', ascii('', 0x93, 0xfa, 0x96, 0x7b), '日本'),
    'euc-jp': inBytes('text/plain; charset=euc-jp', ascii('', 0xc6, 0xfc), '日'),
    'iso-2022-jp': inBytes('text/plain; charset=iso-2022-jp', ascii('\x1b$BF|\x1b(B'), '日'),
    gb18030: inBytes('text/plain; charset=gb18030', ascii('', 0xc4, 0xe3), '你'),
    'windows-1252': inBytes('text/plain; charset=windows-1252', ascii('', 0x80, 0x93, 0xfc), '€“ü'),
    'windows-1252 undeclared': inBytes('text/html', ascii('f', 0xfc, 0x72), 'für'),
    'iso-8859-1': inBytes('application/json; charset=ISO-8859-1', ascii('"', 0xfc, 0x22), '"ü"'),
    'iso-8859-2': inBytes('text/plain; charset=iso-8859-2', ascii('', 0xb9), 'š'),
    'koi8-r': inBytes('text/plain; charset=koi8-r', ascii('', 0xc4, 0xc1), 'да'),
    'in quotes': inBytes('text/plain; charset="latin1"', ascii('', 0xfc), 'ü'),
    'that is unknown': sent('text/plain; charset=klingon', 'ü'),
    'that is empty': sent('text/plain; charset=', 'ü'),
    'that XML names itself': inBytes(
      'application/xml',
      ascii('<?xml version="1.0" encoding="ISO-8859-1"?><a>', 0xfc),
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü',
    ),
    'that HTML names itself': inBytes(
      'text/html',
      ascii('<meta charset=shift_jis>', 0x93, 0xfa),
      '<meta charset=shift_jis>日',
    ),
    'with bytes that are no character': inBytes(
      'application/json; charset=utf-8',
      ascii('"', 0xff, 0x22),
      '"\ufffd"',
    ),
  },
  'a compressed body': {
    gzip: encoded('gzip', gzipSync(JSON_TEXT), aText(JSON_TEXT)),
    'x-gzip': encoded('x-gzip', gzipSync(JSON_TEXT), aText(JSON_TEXT)),
    deflate: encoded('deflate', deflateSync(JSON_TEXT), aText(JSON_TEXT)),
    'deflate without a head': encoded('deflate', deflateRawSync(JSON_TEXT), aText(JSON_TEXT)),
    br: encoded('br', brotliCompressSync(JSON_TEXT), aText(JSON_TEXT)),
    zstd: encoded('zstd', zstdCompressSync(JSON_TEXT), aText(JSON_TEXT)),
    'identity, in capitals': encoded('IDENTITY', JSON_TEXT, aText(JSON_TEXT)),
    twice: encoded('gzip, br', brotliCompressSync(gzipSync(JSON_TEXT)), aText(JSON_TEXT)),
    'twice with the same': encoded('gzip, gzip', gzipSync(gzipSync(JSON_TEXT)), aText(JSON_TEXT)),
    'twice, but declared once': encoded(
      'gzip',
      gzipSync(gzipSync(JSON_TEXT)),
      file('application/gzip', gzipSync(JSON_TEXT)),
    ),
    'in several members': encoded(
      'gzip',
      Buffer.concat([gzipSync('{"a":'), gzipSync('1}')]),
      aText('{"a":1}'),
    ),
    'by an unknown encoding': encoded('rot13', JSON_TEXT, aText(JSON_TEXT)),
    'without a declaration': inBytes(
      'application/gzip',
      gzipSync('x'),
      file('application/gzip', gzipSync('x')),
    ),
    'that is not compressed': encoded('gzip', JSON_TEXT, noAnswer('invalid_response')),
    'that is broken': encoded(
      'gzip',
      Buffer.concat([gzipSync(JSON_TEXT).subarray(0, 20), NOISE]),
      noAnswer('invalid_response'),
    ),
    'that is truncated': encoded(
      'br',
      brotliCompressSync(JSON_TEXT).subarray(0, -3),
      noAnswer('invalid_response'),
    ),
    'five times': encoded(
      'gzip, gzip, gzip, gzip, gzip',
      gzipSync(''),
      noAnswer('invalid_response'),
    ),
  },
  'a large body': {
    'a text': {
      headers: type('text/plain'),
      body: 'x'.repeat(5 * MIB),
      told: aText(
        expect.stringMatching(
          /^<4 MiB of x>\n\n\[The answer is too long .* the remaining 1048576 bytes are kept/,
        ),
      ),
    },
    'a text beyond all limits': {
      headers: { ...type('text/plain'), 'content-length': String(17 * MIB) },
      body: 'x'.repeat(17 * MIB),
      told: aText(
        expect.stringMatching(
          /is lost: 1048576 of the 17825792 bytes that the target API announced\./,
        ),
      ),
    },
    'a bomb': {
      headers: { ...type('text/plain'), 'content-encoding': 'gzip' },
      body: gzipSync('x'.repeat(64 * MIB)),
      told: aText(expect.stringMatching(/is lost: how much that is, the target API did not say\./)),
    },
    'a bomb in a bomb': {
      headers: { ...type('text/plain'), 'content-encoding': 'gzip, br' },
      body: brotliCompressSync(gzipSync('x'.repeat(64 * MIB))),
      told: aText(expect.stringMatching(/is lost: how much that is, the target API did not say\./)),
    },
    'a failure': {
      status: 500,
      headers: type('text/plain'),
      body: 'x'.repeat(5 * MIB),
      told: anError(expect.stringMatching(/^HTTP 500 Internal Server Error\n\n<4 MiB of x>\n\n\[/)),
    },
    'a file': {
      headers: type('application/zip'),
      body: Buffer.concat([ZIP, new Uint8Array(5 * MIB)]),
      told: aText(expect.stringMatching(/^The answer is application\/zip of 5242886 bytes/)),
    },
    'a file beyond all limits': {
      headers: { ...type('application/zip'), 'content-length': String(ZIP.length + 17 * MIB) },
      body: Buffer.concat([ZIP, new Uint8Array(17 * MIB)]),
      told: anError(
        expect.stringMatching(/application\/zip of 17825798 bytes, which is more than/),
      ),
    },
  },
};

const rows = Object.entries(ROWS).flatMap(([group, named]) =>
  Object.entries(named).map(([name, row]) => [group, name, row] as const),
);

/** Source: docs/tools.md, "Answers". */
describe('the tool result for an answer of the target API', () => {
  test.each(rows)('has the right content for %s: %s', async (group, name, { method, told }) => {
    expect(await answerTo(group, name, method)).toEqual(told);
  });
});
