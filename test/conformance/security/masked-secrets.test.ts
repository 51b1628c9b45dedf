import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readerFinds } from '../../support/spelling/reader.ts';
import { SECRET_SHAPES, type SecretShape } from '../../support/spelling/secret-shapes.ts';
import { SPELLINGS } from '../../support/spelling/spellings.ts';
import {
  anHttpServer,
  type ReceivedRequest,
  type TargetServer,
} from '../../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

const CUT_AT = 40_000;

let service: WholeService;
let target: TargetServer;
let session: string;

beforeAll(async () => {
  [service, target] = await Promise.all([
    startWholeService({
      active_deployments_per_user: 100,
      target_response_max_bytes: CUT_AT,
      kept_answer_max_bytes: CUT_AT,
    }),
    anHttpServer(echo),
  ]);
  const { email, password } = await service.person();
  session = String((await api('POST', '/sessions', { email, password }))['access_token']);
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

/** Of each tool: what the target answers to a request, and what it was sent in it. */
const ANSWERS = {
  /** The secret that its path names, in a spelling and a place. */
  spelled: ({ url = '' }) => {
    const [, , shape, spelling, place] = url.split(/[/?]/);
    const secret = SECRET_SHAPES[Number(shape)]?.secret ?? '';
    return placed(SPELLINGS[Number(spelling)]?.encode(secret) ?? '', Number(place));
  },
  /** What Gson makes of the request's headers. */
  headers: ({ headers }) => json(gson({ headers })),
  /** What it was sent, as most APIs do that store something. */
  body: ({ body }) => json(JSON.stringify({ id: 7, ...JSON.parse(body) })),
  /** All of it, and more than once. */
  everything: ({ headers, body, url }) => {
    const { note } = JSON.parse(body);
    return json(
      gson({
        url,
        headers,
        data: body,
        json: { note },
        self: `/notes?q=${encodeURIComponent(note)}`,
      }),
    );
  },
  /** A long answer, of which the end is cut off. */
  long: ({ body }) => json(`"${JSON.parse(body).note}${'.'.repeat(CUT_AT)}`),
} satisfies Record<string, (request: ReceivedRequest) => Answered>;

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const json = (body: string): Answered => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
});
const gson = (value: object): string =>
  JSON.stringify(value).replace(
    /[<>&='\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const isHeaderValue = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
const isJsonString = (text: string): boolean => {
  try {
    return typeof JSON.parse(`"${text}"`) === 'string';
  } catch {
    return false;
  }
};

/** In JSON, an error page, or the address of a redirect. */
const placed = (text: string, place: number): Answered => {
  if (place === 1) {
    const body = `<p>Not for you: ${text}</p>`;
    return { status: 403, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
  }
  if (place === 2 && isHeaderValue(text) && text.length < 8000) {
    const location = `https://elsewhere.example/login?return=${text}&more`;
    return { status: 302, headers: { location }, body: '' };
  }
  return json(`{"told": ${isJsonString(text) ? `"${text}"` : JSON.stringify(text)}}`);
};

const echo = (request: ReceivedRequest, response: import('node:http').ServerResponse): void => {
  const [, name = ''] = request.url?.split(/[/?]/) ?? [];
  const { status, headers, body } = ANSWERS[name as keyof typeof ANSWERS](request);
  response.writeHead(status, headers);
  response.end(body);
};

const responses = {
  200: {
    description: 'Told',
    content: {
      'application/json': { schema: { type: 'object', properties: { told: { type: 'string' } } } },
    },
  },
};
const path = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });
const posting = (operationId: string) => ({
  post: {
    operationId,
    requestBody: {
      content: {
        'application/json': {
          schema: { type: 'object', properties: { note: { type: 'string' } } },
        },
      },
    },
    responses,
  },
});
const description = () => ({
  openapi: '3.1.0',
  info: { title: 'An API that repeats', version: '1' },
  servers: [{ url: target.url }],
  paths: {
    '/spelled/{shape}/{spelling}/{place}': {
      get: {
        operationId: 'spelled',
        parameters: ['shape', 'spelling', 'place'].map(path),
        responses,
      },
    },
    '/headers': { get: { operationId: 'headers', responses } },
    '/body': posting('body'),
    '/everything': posting('everything'),
    '/long': posting('long'),
  },
});

const api = async (method: string, route: string, body: object) => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${route}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session !== undefined && { authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBeLessThan(300);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
};

/** A public server of its own with a credential. @returns what calls its tools */
const published = async (credential: SecretShape['credential']) => {
  const slug = `s-${randomUUID().slice(0, 18)}`;
  const settings = { mcp_auth_method: 'none', structured_output: 'on' };
  await api('POST', '/deployments', { slug, openapi: description(), ...settings });
  await api('PUT', `/deployments/${slug}/credential`, credential);
  return async (name: keyof typeof ANSWERS, args: object = {}) => {
    const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    });
    return { headers: JSON.stringify([...answer.headers]), body: await answer.text() };
  };
};

const textOf = (body: string): string => JSON.parse(body).result.content[0].text;

describe('a secret that the target repeats', () => {
  test.each(SECRET_SHAPES.map((shape, index) => ({ ...shape, index })))(
    'is read by nobody in any spelling: $name',
    async ({ credential, secret, index: shape }) => {
      const call = await published(credential);
      const known: string[] = [];
      const untouched: string[] = [];
      for (const [spelling, { name, encode }] of SPELLINGS.entries()) {
        expect([name, readerFinds(encode(secret), secret)]).toEqual([name, true]);
        const { headers, body } = await call('spelled', {
          shape,
          spelling,
          place: (shape + spelling) % 3,
        });
        if (readerFinds(headers + body, secret)) known.push(name);
        if (!body.includes('[masked]')) untouched.push(name);
      }
      expect([known, untouched]).toEqual([[], []]);
    },
  );

  test('is masked as Gson writes it, in the text and in the structured content', async () => {
    const token = 'Zm9vYmFyLXNlY3JldC1rZXktMTIzNDU2Nzg5MA==';
    const call = await published({ type: 'bearer', token });

    const { body } = await call('headers');

    expect(textOf(body)).toContain('"authorization":"Bearer [masked]"');
    const { structuredContent } = JSON.parse(body).result;
    expect(structuredContent.headers.authorization).toBe('Bearer [masked]');
    expect(readerFinds(body, token)).toBe(false);
  });
});

/** An answer with what was guessed taken out, so that answers to two guesses can be compared. */
const without = (guess: string, { body }: { readonly body: string }): string =>
  [
    guess,
    encodeURIComponent(guess),
    gson([guess]).slice(2, -2),
    Buffer.from(guess).toString('base64'),
  ]
    .reduce((text, form) => text.replaceAll(form, '(guess)'), body)
    .replace(/"content-length\\*":\\*"\d+/g, '');

describe('who guesses a password', () => {
  const basic = { type: 'basic', username: 'admin', password: 'sunshine4711' } as const;

  test('does not learn which of many it is', async () => {
    const call = await published(basic);
    const note = Array.from({ length: 20_000 / 14 }, (_, n) => `sunshine${4000 + n}`).join(' ');

    const { body } = await call('body', { note });

    expect(note).toContain(' sunshine4711 ');
    expect(JSON.parse(textOf(body))).toEqual({ id: 7, note });
  });

  test.each([
    ['as it is', (guess: string) => guess],
    [
      'as the pair that is sent',
      (guess: string) => Buffer.from(`admin:${guess}`).toString('base64'),
    ],
    [
      'in a header like the one that is sent',
      (guess: string) => `Basic ${Buffer.from(`admin:${guess}`).toString('base64')}`,
    ],
    ['half of it escaped', (guess: string) => `%73${guess.slice(1)}`],
    ['spelled in base64', (guess: string) => Buffer.from(guess).toString('base64')],
    ['often', (guess: string) => `${guess} `.repeat(20)],
  ])('sees the same for the right one and a wrong one: %s', async (_, written) => {
    const call = await published(basic);
    for (const name of ['body', 'everything'] as const) {
      const answers = await Promise.all(
        ['sunshine4711', 'sunshine4712'].map(async (guess) => {
          const note = written(guess);
          const answer = await call(name, { note });
          return without(note, answer).replaceAll(note.trim(), '(guess)');
        }),
      );
      expect(answers[0]).toBe(answers[1]);
    }
  });

  test.each([
    ['a token', { type: 'bearer', token: 'sunshine-4711' }],
    ['a key', { type: 'api_key', in: 'query', name: 'key', value: 'sunshine-4711' }],
    ['a key in a header', { type: 'api_key', in: 'header', name: 'X-Key', value: 'sunshine-4711' }],
  ] as const)(
    'sees the same for %s that the API repeats where it is sent',
    async (_, credential) => {
      const call = await published(credential);
      const answers = await Promise.all(
        ['sunshine-4711', 'sunshine-4712'].map(async (note) =>
          without(note, await call('everything', { note })),
        ),
      );
      expect(answers[0]).toContain('[masked]');
      expect(answers[0]).toBe(answers[1]);
    },
  );

  test('does not learn how it begins where an answer is cut', async () => {
    const call = await published(basic);
    const texts = await Promise.all(
      ['sunshin', 'sunshix'].map(async (guess) => {
        const note = '-'.repeat(CUT_AT - 1 - guess.length) + guess;
        return textOf((await call('long', { note })).body);
      }),
    );
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain('was cut here');
  });
});
