import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildConsole } from '../../console/build.ts';
import { server } from '../../layers/console/server.ts';
import type { HttpReply } from '../../layers/platform/http/reply.ts';
import { wireConsole } from '../../lambdas/console/wiring.ts';

type Headers = Readonly<Record<string, string>>;

const lines: object[] = [];
const built = buildConsole(false);
const MODEL_HOSTS = JSON.stringify([
  { name: 'ours', url: 'https://llm.example.com:8443/openai/v1' },
  { name: 'theirs', url: 'https://models.example.org' },
]);
const { ports, modelHosts } = wireConsole({ MODEL_HOSTS });
const answer = server({ ...ports, log: { write: (line) => lines.push(line) } }, built, modelHosts);

const get = (rawPath: string, headers: Headers = {}, method = 'GET'): Promise<HttpReply> =>
  answer({
    rawPath,
    headers,
    isBase64Encoded: false,
    requestContext: { requestId: 'r1', http: { method, sourceIp: '192.0.2.1' } },
  });

/** What a browser makes of an answer. */
const textOf = ({ body, isBase64Encoded, headers }: HttpReply): string => {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
};

let html: string;
let files: readonly string[];
beforeAll(async () => {
  html = textOf(await get('/v1/console/servers'));
  files = [...html.matchAll(/(?:src|href)="(\/v1\/console\/assets\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
});

describe('the console, as the gateway hands requests over', () => {
  test.each(['/', '/v1', '/v1/console', '/v1/console/'])(
    'leads people from %s to the servers',
    async (path) => {
      const reply = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });

      expect(reply).toMatchObject({
        statusCode: 303,
        headers: { location: '/v1/console/servers' },
      });
    },
  );

  test.each([{}, { accept: '*/*' }, { accept: 'application/json' }])(
    'tells programs at / what they were told before: %j',
    async (headers: Headers) => {
      expect((await get('/', headers)).statusCode).toBe(404);
      expect((await get('/v1', headers)).statusCode).toBe(404);
    },
  );

  test.each([
    '/v1/console/servers',
    '/v1/console/servers/my-api/tools',
    '/v1/console/servers/my-api/content/prompts/ask',
    '/v1/console/nowhere',
  ])('answers %s with the one page', async (path) => {
    const reply = await get(path);

    expect(reply.statusCode).toBe(200);
    expect(textOf(reply)).toBe(html);
  });

  test('the page lets in scripts and styles of this origin alone', async () => {
    const { headers } = await get('/v1/console/servers');

    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
        "img-src 'self' data:; media-src blob:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(html).not.toMatch(/<script>|<style>|\son\w+=|\sstyle=/);
  });

  const sendsTo = async (path: string) => {
    const policy = (await get(path)).headers['content-security-policy'] ?? '';
    return /connect-src ([^;]*);/.exec(policy)?.[1];
  };

  test.each([
    ['/servers/my-api/talk/anthropic', 'https://api.anthropic.com'],
    ['/servers/my-api/cases/openai', 'https://api.openai.com'],
    ['/servers/my-api/talk/ours', 'https://llm.example.com:8443'],
    ['/servers/my-api/cases/ours', 'https://llm.example.com:8443'],
    ['/servers/my-api/talk/theirs', 'https://models.example.org'],
  ])('the page at %s may send to %s, and nowhere else', async (path, origin) => {
    expect(await sendsTo(`/v1/console${path}`)).toBe(`'self' ${origin}`);
  });

  test.each([
    '/servers',
    '/servers/ours/tools',
    '/servers/my-api/talk',
    '/servers/my-api/talk/nobody',
    '/servers/my-api/talk/Ours',
    '/servers/my-api/talk/__proto__',
    '/servers/my-api/talk/constructor',
    '/servers/my-api/talk/https:%2f%2fevil.example',
    '/servers/my-api/talk/ours;%20https:',
    '/servers/my-api/talk/ours/x',
    '/servers/my-api/settings/ours',
    '/accounts/my-api/talk/ours',
  ])('the page at %s may send to this origin alone', async (path) => {
    expect(await sendsTo(`/v1/console${path}`)).toBe("'self'");
  });

  test('says which hosts of models there are', async () => {
    const reply = await get('/v1/console/model-hosts.json');

    expect(reply).toMatchObject({
      statusCode: 200,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(JSON.parse(reply.body)).toEqual({
      hosts: [
        { name: 'ours', url: 'https://llm.example.com:8443/openai/v1' },
        { name: 'theirs', url: 'https://models.example.org/v1' },
      ],
    });
  });

  test("does not start with hosts that it cannot read, nor with models on a machine that is not one's own", () => {
    const local = { MODEL_HOSTS: '[{"name":"here","url":"http://127.0.0.1:11434/v1"}]' };

    expect(() => wireConsole({ MODEL_HOSTS: '{}' })).toThrow('MODEL_HOSTS is not usable');
    expect(() => wireConsole(local)).toThrow('MODEL_HOSTS is not usable');
    expect(
      wireConsole(local, { targets: { loopback: { exceptPorts: [] } } }).modelHosts,
    ).toHaveLength(1);
    expect(wireConsole({}).modelHosts).toEqual([]);
  });

  test('a page that has not changed is not sent again', async () => {
    const { headers } = await get('/v1/console/servers');
    const again = await get('/v1/console/usage', { 'if-none-match': headers['etag'] ?? '' });

    expect(again).toMatchObject({ statusCode: 304, body: '' });
    expect((await get('/v1/console/usage', { 'if-none-match': '"x"' })).statusCode).toBe(200);
  });

  test('files are cached for ever: their names change with what is in them', async () => {
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const file of files) {
      const reply = await get(file, { 'accept-encoding': 'gzip, deflate, br' });
      expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(reply.headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      expect(file).toMatch(/-[A-Z0-9]{8}\.(js|css)$/);
    }
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
    ['', undefined],
  ])('packs for whoever takes %s with %s', async (accepted, encoding) => {
    const plain = textOf(await get(files[0] ?? ''));
    const reply = await get(files[0] ?? '', { 'accept-encoding': accepted });

    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(reply.headers['vary']).toBe('accept-encoding');
    expect(textOf(reply)).toBe(plain);
  });

  // Looked for from each of them, a semicolon would be missed after minutes.
  test('soon reads a million blanks among what a client takes', async () => {
    const accepted = `x${' '.repeat(1_000_000)}y, br`;

    expect((await get(files[0] ?? '', { 'accept-encoding': accepted })).statusCode).toBe(200);
  });

  test.each([
    '/v1/console/assets/none.js',
    '/v1/console/assets/__proto__',
    '/v1/console/assets/constructor',
    '/v1/console/a/b/c/d/e/f',
  ])('has nothing at %s', async (path) => {
    expect((await get(path)).statusCode).toBe(404);
  });

  test('takes no other method than GET and HEAD', async () => {
    expect((await get('/v1/console/servers', {}, 'HEAD')).body).toBe('');
    expect((await get('/v1/console/servers', {}, 'POST')).statusCode).toBe(405);
  });

  test('logs routes, never what an address names', async () => {
    await get('/v1/console/servers/secret-name/tools');

    expect(JSON.stringify(lines)).not.toContain('secret-name');
    expect(lines.at(-1)).toMatchObject({ route: '/v1/console/{a}/{b}/{c}', status: 200 });
  });
});
