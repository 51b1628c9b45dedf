import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User } from '../../../layers/accounts/rules/user.ts';
import type { OAuthClient } from '../../../layers/tokens/rules/oauth-records.ts';
import type { Visit } from '../../support/oauth/form-browser.ts';
import {
  anOAuthService,
  ISSUER,
  REDIRECT_URI,
  type TestOAuth,
  VERIFIER,
} from '../../support/oauth/oauth.ts';
import { aSigner } from '../../support/oauth/client-assertions.ts';
import { bodyOf, form } from '../../support/oauth/oauth-requests.ts';
import { aPerson, PASSWORD } from '../../support/oauth/people.ts';
import { aVisitor, linksOf, ORIGIN, type Visitor, wordsOf } from '../../support/oauth/visits.ts';

let service: TestOAuth;
let ada: User;
let client: OAuthClient;
let visitor: Visitor;

beforeAll(async () => {
  service = await anOAuthService({ limits: { authorize_per_minute_per_client: 100_000 } });
  ada = await aPerson(service, { email: 'ada@example.com' });
  client = await service.client({ name: 'Claude' });
  await service.deployment({ slug: 'adas-pets', name: 'Pets <of> Ada', ownerId: ada.id });
  await service.deployment({ slug: 'for-all', access: { mode: 'any_user' } });
  await service.deployment({ slug: 'for-nobody', name: 'Closed' });
});
afterAll(() => service.stop());

beforeEach(async () => {
  visitor = aVisitor(service);
});

const LOOPBACK = 'http://127.0.0.1:6277/callback';

const resource = (slug: string) => `${ORIGIN}/v1/mcp-router/${slug}`;

/** The consent page of somebody who signs in first. */
const asked = async (
  over: Readonly<Record<string, string | undefined>> = {},
  email = ada.email,
): Promise<Visit> => {
  const login = await visitor.authorize({
    client_id: client.id,
    resource: resource('adas-pets'),
    ...over,
  });
  return visitor.submit(login, '/login', { email, password: PASSWORD });
};

const decide = (page: Visit, filled: Readonly<Record<string, string>>) =>
  visitor.submit(page, '/authorize', filled);

const answerOf = ({ url }: Visit) => Object.fromEntries(url.searchParams);

describe('the consent page', () => {
  test('shows the client, its destination, the scopes and the owner of the server', async () => {
    const page = await asked({ scope: 'openid mcp.tools.read' });

    expect(page.status).toBe(200);
    for (const words of [
      'Connect Claude to Pets &lt;of&gt; Ada ?',
      'This application is not verified.',
      'adas-pets',
      'app.example.com',
      'ada@example.com',
      'Know you by an identifier of your account',
      'See the tools, documents and prompts of this server',
      'Approve',
      'Deny',
    ]) {
      expect(wordsOf(page.html)).toContain(words);
    }
    expect(wordsOf(page.html)).not.toContain('Run its tools');
    expect(wordsOf(page.html)).not.toContain('See your e-mail address');
  });

  test('says that calls are recorded, and takes no approval from a page that did not', async () => {
    const since = service.clock.now();
    const recording = { publicKey: 'key', since, until: since + 7 * 86_400 };
    const bare = await service.deployment({ slug: 'recorded', ownerId: ada.id });
    const once = { ...bare, revision: bare.revision + 1, recording };
    const later = { ...once, revision: once.revision + 1 };
    const before = await asked({ resource: resource('recorded') });
    expect(wordsOf(before.html)).not.toContain('Calls are recorded');
    await service.replaceDeployment(bare, once);
    service.clock.time += 2;

    const again = await decide(before, { decision: 'approve' });
    expect(again).toMatchObject({ status: 409, left: false });
    expect(wordsOf(again.html)).toContain(
      'Nothing has happened yet: calls of this server are recorded',
    );
    expect(wordsOf(again.html)).toContain('Calls are recorded.');

    const another = { ...recording, since: since + 1 };
    await service.replaceDeployment(once, { ...later, recording: another });
    service.clock.time += 2;
    expect(await decide(again, { decision: 'approve' })).toMatchObject({ status: 409 });
    // Signed in since the first page.
    const told = await visitor.authorize({ client_id: client.id, resource: resource('recorded') });
    expect(wordsOf(told.html)).toContain('The owner can read it until');
    expect(await decide(told, { decision: 'approve' })).toMatchObject({ left: true });
  });

  test.each([
    ['of another person', { subjects: ['somebody@example.com'] }],
    ['until a day that is over', { until: 1 }],
  ])('says nothing where calls are recorded %s', async (_, over) => {
    const slug = `recorded-${randomUUID()}`;
    const since = service.clock.now();
    const recording = { publicKey: 'key', since, until: since + 86_400, ...over };
    await service.deployment({ slug, ownerId: ada.id, recording });

    const page = await asked({ resource: resource(slug) });
    expect(wordsOf(page.html)).not.toContain('Calls are recorded');
    expect(await decide(page, { decision: 'approve' })).toMatchObject({ left: true });
  });

  test('escapes a deceptive client name and shows what it really contains', async () => {
    const { id } = await service.client({ name: '</h1><script>\u202Elive\u200B "\'`{{email}}' });
    const page = await asked({ client_id: id });

    expect(page.html).not.toMatch(/<script|\u202E|\u200B/);
    expect(wordsOf(page.html)).toContain(
      '&lt;/h1&gt;&lt;script&gt;live &quot;&#x27;&#x60;{{email}}',
    );
  });

  test('says that the answer stays on the device for a loopback redirect URI', async () => {
    const { id } = await service.client({ redirectUris: ['http://127.0.0.1/callback'] });
    const page = await asked({ client_id: id, redirect_uri: 'http://127.0.0.1:6277/callback' });

    expect(wordsOf(page.html)).toContain('an application on this device 127.0.0.1:6277');
  });

  test('shows the URL of the client metadata document', async () => {
    const id = 'https://described.example.com/client.json';
    await service.client({ id, source: 'metadata_document' });

    expect(wordsOf((await asked({ client_id: id })).html)).toContain(`described at ${id}`);
  });

  test.each<[string, Partial<OAuthClient>, boolean]>([
    ['a document with loopback alone', { redirectUris: [LOOPBACK, 'http://localhost/cb'] }, true],
    ['a document with a website too', { redirectUris: [LOOPBACK, REDIRECT_URI] }, false],
    [
      'a registration with loopback alone',
      { source: 'registration', redirectUris: [LOOPBACK] },
      false,
    ],
  ])('warns of programs that could claim the name of %s: %#', async (_, over, warns) => {
    const id =
      over.source === 'registration'
        ? `mcp_${randomUUID()}`
        : `https://described.example.com/${randomUUID()}.json`;
    await service.client({ id, source: 'metadata_document', ...over });

    const { html } = await asked({ client_id: id, redirect_uri: LOOPBACK });

    const words = 'any program on this device can claim to be it';
    expect(wordsOf(html).includes(words)).toBe(warns);
  });

  test('is shown at every request, even to a user who is signed in', async () => {
    const first = await asked();
    await decide(first, { decision: 'approve' });
    const again = await visitor.authorize({
      client_id: client.id,
      resource: resource('adas-pets'),
    });

    expect(again.status).toBe(200);
    expect(wordsOf(again.html)).toContain('Connect Claude to Pets');
  });

  test('has no form-action policy, so that the client may redirect further', async () => {
    await asked();

    const policy = visitor.replies.at(-1)?.headers['content-security-policy'];
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });
});

describe('approving an authorization request', () => {
  test('redirects to the client with a code, the state and the issuer', async () => {
    const end = await decide(await asked(), { decision: 'approve' });

    expect(visitor.replies.at(-1)).toMatchObject({
      statusCode: 303,
      headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
      body: '',
    });
    expect(`${end.url.origin}${end.url.pathname}`).toBe(REDIRECT_URI);
    expect(answerOf(end)).toEqual({
      code: expect.stringMatching(/^mcp_code_[\w-]+$/),
      state: 'st&te/+ %25',
      iss: ISSUER,
    });
  });

  test('issues a code for exactly the scopes that were shown', async () => {
    const end = await decide(await asked({ scope: 'email mcp.tools.read' }), {
      decision: 'approve',
    });

    const reply = await service.send(
      form('/token', {
        grant_type: 'authorization_code',
        code: answerOf(end)['code'],
        redirect_uri: REDIRECT_URI,
        client_id: client.id,
        code_verifier: VERIFIER,
        resource: `${resource('adas-pets')}/messages`,
      }),
    );

    expect(bodyOf(reply)).toMatchObject({ scope: 'email mcp.tools.read', token_type: 'Bearer' });
  });

  test('supports redirect URIs with a query, any loopback port or a private scheme', async () => {
    const redirectUris = ['https://app.example.com/cb?a=1', 'http://localhost/cb', 'cursor://a/cb'];
    const { id } = await service.client({ redirectUris });
    const ends = [];
    for (const [index, uri] of [
      redirectUris[0],
      'http://localhost:7777/cb',
      'cursor://a/cb',
    ].entries()) {
      const page =
        index === 0
          ? await asked({ client_id: id, redirect_uri: uri })
          : await visitor.authorize({
              client_id: id,
              redirect_uri: uri,
              resource: resource('adas-pets'),
            });
      ends.push((await decide(page, { decision: 'approve' })).url.href);
    }

    expect(ends[0]).toMatch(/^https:\/\/app\.example\.com\/cb\?a=1&code=/);
    expect(ends[1]).toMatch(/^http:\/\/localhost:7777\/cb\?code=/);
    expect(ends[2]).toMatch(/^cursor:\/\/a\/cb\?code=/);
  });

  test('ignores all other parameters that the posted form contains', async () => {
    const end = await decide(await asked(), {
      decision: 'approve',
      redirect_uri: 'https://evil.example/',
      client_id: 'mcp_evil',
      scope: 'mcp.tools.execute',
      server: 'for-all',
    });

    expect(end.url.origin).toBe('https://app.example.com');
  });

  test('is logged as a security event', async () => {
    await decide(await asked(), { decision: 'approve' });

    expect(service.lines.findLast(({ event }) => event === 'access_granted')).toMatchObject({
      subject: ada.id,
      slug: 'adas-pets',
      why: `${client.id} (Claude)`,
    });
  });

  test('names the client first by its id, whatever id it calls itself by', async () => {
    const evil = await service.client({ name: `${client.id} (Claude)\u200b\u3164` });
    await decide(await asked({ client_id: evil.id }), { decision: 'deny' });

    expect(service.lines.findLast(({ event }) => event === 'access_denied')).toMatchObject({
      why: `${evil.id} (${client.id} (Claude))`,
    });
  });
});

describe('denying an authorization request', () => {
  test('redirects to the client with access_denied', async () => {
    const end = await decide(await asked(), { decision: 'deny' });

    expect(visitor.replies.at(-1)?.statusCode).toBe(303);
    expect(answerOf(end)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'st&te/+ %25',
      iss: ISSUER,
    });
  });

  test('does not require the choice of a server', async () => {
    const end = await decide(await asked({ resource: undefined }), { decision: 'deny', other: '' });

    expect(answerOf(end)).toMatchObject({ error: 'access_denied' });
  });
});

describe('a second decision on the same authorization request', () => {
  test.each(['approve', 'deny'])(
    'leads the same browser to the same address within a minute: %s',
    async (decision) => {
      const page = await asked();
      const first = await decide(page, { decision });
      const twice = await decide(page, { decision });

      expect(twice.left).toBe(true);
      expect(twice.url.href).toBe(first.url.href);
    },
  );

  test.each([
    ['another decision', 0, { decision: 'approve' }, 'deny'],
    ['another decision', 0, { decision: 'deny' }, 'approve'],
    ['a decision that is none', 0, { decision: '' }, 'approve'],
    ['another CSRF token', 0, { decision: 'approve', csrf: '0'.repeat(64) }, 'approve'],
    ['the same after a minute', 60, { decision: 'approve' }, 'approve'],
    ['the same after a minute', 60, { decision: 'deny' }, 'deny'],
  ])('is refused with a page that says what to do: %s', async (_, later, filled, before) => {
    const page = await asked();
    await decide(page, { decision: before });
    service.clock.time += later;
    const twice = await decide(page, filled);
    service.clock.time -= later;

    expect(twice).toMatchObject({ status: 400, left: false });
    expect(wordsOf(twice.html)).toContain('answered already');
    expect(wordsOf(twice.html)).toContain(
      'Go back to the application: it may be connected already.',
    );
  });

  test('is refused to another browser of the same person', async () => {
    const page = await asked();
    const { html } = page;
    await decide(page, { decision: 'approve' });
    visitor = aVisitor(service);
    await asked();

    const elsewhere = await decide({ ...page, html }, { decision: 'approve' });

    expect(elsewhere).toMatchObject({ status: 400, left: false });
  });

  test('is refused once the code has bought its tokens, which stay good', async () => {
    const page = await asked();
    const { code = '' } = answerOf(await decide(page, { decision: 'approve' }));
    const bought = await service.send(
      form('/token', {
        grant_type: 'authorization_code',
        code,
        client_id: client.id,
        redirect_uri: REDIRECT_URI,
        code_verifier: VERIFIER,
      }),
    );

    const twice = await decide(page, { decision: 'approve' });

    expect(bought.statusCode).toBe(200);
    expect(twice).toMatchObject({ status: 400, left: false });
    expect(wordsOf(twice.html)).toContain('it may be connected already');
  });

  describe('whose page is opened again', () => {
    const ticketOf = ({ html }: Visit) => /name="ticket" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const opened = (page: Visit, by = visitor) =>
      by.open(`${ORIGIN}/v1/mcp-oauth-server/authorize?ticket=${ticketOf(page)}`);

    test.each(['approve', 'deny'])(
      'finds the page for a minute, and leads to the same address: %s',
      async (decision) => {
        const page = await asked();
        const first = await decide(page, { decision });
        const again = await opened(page);

        expect(again.status).toBe(200);
        expect((await decide(again, { decision })).url.href).toBe(first.url.href);
        service.clock.time += 60;
        const late = await opened(page);
        service.clock.time -= 60;
        expect([late.status, wordsOf(late.html)]).toEqual([
          400,
          expect.stringContaining('it may be connected already'),
        ]);
      },
    );

    test('has the server chosen that was chosen before, listed or typed', async () => {
      const { slug } = await service.deployment({ access: { mode: 'any_user' } });
      const page = await asked({ resource: undefined });
      const first = await decide(page, { decision: 'approve', server: '', other: slug });
      expect(first.left).toBe(true);

      // As the page has it, with nothing chosen anew.
      const again = await decide(await opened(page), { decision: 'approve' });
      expect(again.url.href).toBe(first.url.href);
    });

    test('shows nothing to another browser, and nothing once the code was used', async () => {
      const page = await asked();
      const { code = '' } = answerOf(await decide(page, { decision: 'approve' }));
      expect((await opened(page, aVisitor(service))).status).toBe(400);
      await service.send(
        form('/token', {
          grant_type: 'authorization_code',
          code,
          client_id: client.id,
          redirect_uri: REDIRECT_URI,
          code_verifier: VERIFIER,
        }),
      );

      expect((await opened(page)).status).toBe(400);
    });
  });

  test('gives each of twenty concurrent clicks the one code, which is good once', async () => {
    const page = await asked();

    const ends = await Promise.all(
      Array.from({ length: 20 }, () => decide(page, { decision: 'approve' })),
    );

    expect(ends.filter(({ left }) => left)).toHaveLength(20);
    const codes = new Set(ends.map((end) => answerOf(end)['code']));
    expect(codes.size).toBe(1);
    const [code = ''] = codes;
    const exchange = () =>
      service.send(
        form('/token', {
          grant_type: 'authorization_code',
          code,
          client_id: client.id,
          redirect_uri: REDIRECT_URI,
          code_verifier: VERIFIER,
        }),
      );
    expect((await exchange()).statusCode).toBe(200);
    expect((await exchange()).statusCode).toBe(400);
  });
});

describe('a forged or outdated decision on an authorization request', () => {
  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [
      'an old browser on another site',
      { origin: 'https://evil.example', 'sec-fetch-site': undefined },
    ],
  ])('from %s is refused and changes nothing', async (_, headers) => {
    const page = await asked();
    const cookie = visitor.cookies();
    const elsewhere = aVisitor(service, { headers: { ...headers, cookie } });

    const refused = await elsewhere.submit(page, '/authorize', { decision: 'approve' });

    expect(refused).toMatchObject({ status: 403, left: false });
    expect(await decide(page, { decision: 'approve' })).toMatchObject({ left: true });
  });

  test.each([
    ['no CSRF token', ''],
    ['a wrong CSRF token', '0'.repeat(64)],
  ])('with %s is asked for again and changes nothing', async (_, csrf) => {
    const page = await asked();

    const again = await decide(page, { decision: 'approve', csrf });

    expect(again).toMatchObject({ status: 403, left: false });
    expect(wordsOf(again.html)).toContain('You signed in again since this page was opened');
    expect(await decide(again, { decision: 'approve' })).toMatchObject({ left: true });
  });

  test('with the CSRF token of another authorization request is requested again', async () => {
    const [first, second] = [
      await asked(),
      await visitor.authorize({ client_id: client.id, resource: resource('adas-pets') }),
    ];
    const csrf =
      first.forms.find(({ action }) => action.endsWith('/authorize'))?.fields['csrf'] ?? '';

    expect(await decide(second, { decision: 'approve', csrf })).toMatchObject({ status: 403 });
  });

  test('after another user signed in is requested again, with the new account shown', async () => {
    const grace = await aPerson(service, { email: 'grace@example.com' });
    const first = await asked({ resource: resource('for-all') });
    const login = await visitor.authorize({ client_id: client.id });
    expect(login.forms.some(({ action }) => action.endsWith('/login'))).toBe(false);
    await visitor.submit(first, '/logout');
    await asked({ resource: resource('for-all') }, grace.email);

    const again = await decide(first, { decision: 'approve' });

    expect(again).toMatchObject({ status: 403, left: false });
    expect(wordsOf(again.html)).toContain('grace@example.com');
    expect(wordsOf(again.html)).not.toContain('ada@example.com');
  });

  test('without a session leads to the login and back to the consent page', async () => {
    const page = await asked();
    const stranger = aVisitor(service);

    const login = await stranger.submit(page, '/authorize', { decision: 'approve' });
    const consent = await stranger.submit(login, '/login', {
      email: ada.email,
      password: PASSWORD,
    });

    expect(login.forms[0]?.action).toMatch(/login$/);
    expect(wordsOf(consent.html)).toContain('Connect Claude to Pets');
  });

  test('without approve or deny is requested again', async () => {
    const page = await asked();

    expect(await decide(page, {})).toMatchObject({ status: 400, left: false });
    expect(await decide(page, { decision: 'maybe' })).toMatchObject({ status: 400, left: false });
  });
});

describe('a deployment that the user may not access', () => {
  test('cannot be approved, and the page says so', async () => {
    const page = await asked({ resource: resource('for-nobody') });

    expect(page.status).toBe(403);
    expect(wordsOf(page.html)).toContain('You have no access to Closed');
    expect(page.html).not.toContain('value="approve"');
    const forced = await decide(page, { decision: 'approve' });
    expect(forced).toMatchObject({ status: 403, left: false });
  });

  test('can be denied, or approved with another account', async () => {
    const page = await asked({ resource: resource('for-nobody') });
    const out = await visitor.submit(page, '/logout');
    const [back] = linksOf(out);

    expect((await visitor.open(`${ORIGIN}${back}`)).forms[0]?.action).toMatch(/login$/);
    const end = await decide(await asked({ resource: resource('for-nobody') }), {
      decision: 'deny',
    });
    expect(answerOf(end)).toMatchObject({ error: 'access_denied' });
  });

  test('is accessible to a user on its allow-list', async () => {
    const access = { mode: 'allow_list', emails: ['ada@example.com'], domains: [] } as const;
    await service.deployment({ slug: 'for-ada', access });

    expect((await asked({ resource: resource('for-ada') })).status).toBe(200);
  });

  test('ends the authorization request if it was paused meanwhile', async () => {
    const { slug } = await service.deployment({ ownerId: ada.id });
    const page = await asked({ resource: resource(slug) });
    const start = service.clock.time;
    const stored = await service.ports.deployments.find(slug);
    const paused = { ...stored!, status: 'paused' as const, revision: 2 };
    await service.replaceDeployment(stored!, paused);
    service.clock.time = start + 16;

    const end = await decide(page, { decision: 'approve' });
    service.clock.time = start;

    expect(end).toMatchObject({ status: 400, left: false });
  });
});

describe('the consent for a client that must sign', () => {
  test('holds the client to it when the code is exchanged', async () => {
    const signer = await aSigner();
    const { id } = await service.client({
      id: 'https://app.example.com/client.json',
      source: 'metadata_document',
      authMethod: 'private_key_jwt',
      keys: { list: [signer.jwk] },
    });
    const { code = '' } = answerOf(
      await decide(await asked({ client_id: id }), { decision: 'approve' }),
    );
    const exchange = (proof: object) =>
      service.send(
        form('/token', {
          grant_type: 'authorization_code',
          code,
          client_id: id,
          redirect_uri: REDIRECT_URI,
          code_verifier: VERIFIER,
          ...proof,
        }),
      );

    expect((await exchange({})).statusCode).toBe(401);
    expect((await exchange(await signer.sign(id))).statusCode).toBe(200);
  });
});

describe('the consent page for a client that names no resource', () => {
  const choosing = (email?: string) => asked({ resource: undefined }, email);
  const radios = ({ html }: Visit) =>
    [...html.matchAll(/<input type="radio" name="server" value="([^"]*)"( checked)?>/g)].map(
      ([, slug, checked]) => [slug, checked !== undefined],
    );

  test.each([
    ['the one that was named', 'patient', '2 hours'],
    ['the longest of any server where none was named', undefined, '1 day'],
  ])('says how long access lasts without a refresh: %s', async (_, slug, lasts) => {
    const owner = await aPerson(service);
    const { id } = await service.client({ withoutRefresh: true });
    if (slug) await service.deployment({ slug, ownerId: owner.id, accessTokenSeconds: 7200 });
    const page = await asked({ client_id: id, resource: slug && resource(slug) }, owner.email);

    expect(wordsOf(page.html)).toContain(`Access lasts at most ${lasts}.`);
  });

  test('preselects the only deployment of the user', async () => {
    const owner = await aPerson(service);
    await service.deployment({ slug: 'the-only-one', ownerId: owner.id });
    const page = await choosing(owner.email);
    const end = await decide(page, { decision: 'approve' });

    expect(radios(page)).toEqual([
      ['the-only-one', true],
      ['', false],
    ]);
    expect(answerOf(end)).toHaveProperty('code');
  });

  test('preselects none of several deployments and omits those without OAuth', async () => {
    const owner = await aPerson(service);
    await service.deployment({ slug: 'one-of-two', ownerId: owner.id });
    await service.deployment({ slug: 'two-of-two', ownerId: owner.id });
    await service.deployment({ slug: 'owners-none', ownerId: owner.id, authMethod: 'none' });
    await service.deployment({ slug: 'owners-paused', ownerId: owner.id, status: 'paused' });
    const page = await choosing(owner.email);

    expect(
      radios(page)
        .map(([slug]) => slug)
        .sort(),
    ).toEqual(['', 'one-of-two', 'two-of-two']);
    expect(radios(page).some(([, checked]) => checked)).toBe(false);
    const again = await decide(page, { decision: 'approve' });
    expect(again.status).toBe(400);
    expect(wordsOf(again.html)).toContain('Choose a server, or name one.');
    const end = await decide(again, { decision: 'approve', server: 'two-of-two' });
    expect(answerOf(end)).toHaveProperty('code');
  });

  test.each([
    ['its slug', 'for-all'],
    ['its URL', `${ORIGIN}/v1/mcp-router/for-all/messages`],
  ])('accepts another deployment by %s', async (_, other) => {
    const end = await decide(await choosing(), { decision: 'approve', server: '', other });

    const { code = '' } = answerOf(end);
    const { fingerprint } = await import('../../../layers/platform/rules/fingerprint.ts');
    expect((await service.ports.codes.find(fingerprint(code)))?.grant.slug).toBe('for-all');
  });

  test.each([
    ['does not exist', 'no-such-server'],
    ['is closed to the user', 'for-nobody'],
    ['is not a slug', '../../etc <b>'],
  ])('gives the same answer for a deployment that %s', async (_, other) => {
    const again = await decide(await choosing(), { decision: 'approve', server: '', other });

    expect(again).toMatchObject({ status: 400, left: false });
    expect(wordsOf(again.html)).toContain('There is no server of this name that you may use.');
    expect(again.forms.find(({ action }) => action.endsWith('/authorize'))?.fields['other']).toBe(
      other,
    );
    expect(again.html).toContain('name="server" value="" checked');
  });

  test('refuses a listed and a typed deployment at once', async () => {
    const again = await decide(await choosing(), {
      decision: 'approve',
      server: 'adas-pets',
      other: 'for-all',
    });

    expect(again.status).toBe(400);
    expect(wordsOf(again.html)).toContain('You chose a server from the list and named another');
  });

  test('requires a name from a user without deployments', async () => {
    const guest = await aPerson(service);
    const page = await choosing(guest.email);

    expect(radios(page)).toEqual([]);
    expect(page.html).toMatch(/<input id="other"[^>]* required/);
  });
});
