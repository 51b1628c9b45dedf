import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SignedIn, signedIn } from '../../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

let service: WholeService;
let owner: SignedIn;
let path: string;
beforeAll(async () => {
  service = await startWholeService();
  owner = await signedIn(service);
  const { slug } = await service.publish(owner.person);
  path = `/deployments/${slug}`;
});
afterAll(() => service.stop());

const allow = (list: object) =>
  owner.send('PATCH', path, { access: { mode: 'allow_list', ...list } });

describe('an allow list', () => {
  test.each([
    ['emails', '<bob@gmail.com>', 'without name, spaces and brackets'],
    ['emails', 'Bob Smith <bob@gmail.com>', 'without name, spaces and brackets'],
    ['emails', '*@example.org', 'for everybody there write the domain'],
    ['emails', 'bob@gmail', 'is no domain'],
    ['emails', '\u212Aim@corp.example', 'without name, spaces and brackets'],
    ['emails', 'kim@\u212Aorp.example', 'korp.example'],
    ['domains', 'Bob', 'is no domain'],
    ['domains', 'address!!', 'is no domain'],
    ['domains', 'example..org', 'is no domain'],
    ['domains', '\u212Aorp.example', 'korp.example'],
    ['emails', 'bob@gm\u0430il.com', 'in one script'],
    ['emails', 'bob@xn--gmil-63d.com', 'in one script'],
    ['domains', 'gm\u0430il.com', 'in one script'],
    ['domains', 'xn--gmil-63d.com', 'in one script'],
    ['domains', '\u0430\u0440\u0440\u04cf\u0435.com', 'write xn--80ak6aa92e.com'],
  ])('names the entry of its %s that is none: %s', async (list, text, hint) => {
    const right = list === 'emails' ? 'ada@example.com' : 'example.com';
    const { status, body } = await allow({ [list]: [right, text] });

    expect(status).toBe(422);
    expect(body['findings']).toEqual([
      expect.objectContaining({
        where: `/access/${list}/1`,
        hint: expect.stringContaining(hint),
      }),
    ]);
  });

  test('is kept in the form that it is compared in', async () => {
    const { status, body } = await allow({
      emails: ['Ada+List@Example.COM'],
      domains: ['Example.ORG', 'münchen.example'],
    });

    expect(status).toBe(200);
    expect(body['access']).toEqual({
      mode: 'allow_list',
      emails: ['ada+list@example.com'],
      domains: ['example.org', 'xn--mnchen-3ya.example'],
    });
  });

  test('is warned of where it names the domain of a mail provider, each time it is shown', async () => {
    const warning = expect.objectContaining({
      where: '/access/domains/0',
      what: expect.stringContaining('anybody can have an address of gmail.com'),
    });

    expect((await allow({ domains: ['Gmail.com'] })).body['warnings']).toContainEqual(warning);
    expect((await owner.send('GET', path)).body['warnings']).toContainEqual(warning);
  });

  test('of origins takes origins alone', async () => {
    const origins = (allowed_origins: readonly string[]) =>
      owner.send('PATCH', path, { allowed_origins });

    expect((await origins(['https://app.example.com'])).status).toBe(200);
    expect((await origins(['https://\u212Aorp.example'])).status).toBe(422);
    expect((await origins(['app.example.com/path'])).status).toBe(422);
  });
});

describe('a host that reads as another one', () => {
  const HOST = 'login.gm\u0430il.com';
  const ASCII = 'login.xn--gmil-63d.com';
  const client = { type: 'oauth_client', client_id: 'c', client_secret: 's' };

  test.each([
    [
      '/origins/0',
      'PUT',
      '/credential',
      (host: string) => ({ type: 'bearer', token: 'secret', origins: [`https://${host}`] }),
    ],
    [
      '/token_url',
      'PUT',
      '/credential',
      (host: string) => ({ ...client, token_url: `https://${host}/token` }),
    ],
    ['/issuer', 'PUT', '/credential', (host: string) => ({ ...client, issuer: `https://${host}` })],
    [
      '/issuer',
      'PUT',
      '/jwt-issuer',
      (host: string) => ({
        issuer: `https://${host}`,
        jwks_uri: 'https://login.example.com/keys',
        audience: 'a',
        algorithms: ['RS256'],
      }),
    ],
  ])('is refused at %s of %s %s', async (where, method, of, body) => {
    for (const host of [HOST, ASCII]) {
      const refused = await owner.send(method, `${path}${of}`, body(host));

      expect(refused.status).toBe(422);
      expect(refused.body['findings']).toEqual([expect.objectContaining({ where })]);
    }
  });

  test('is refused as the issuer of a trust', async () => {
    const { status, body } = await owner.send('POST', '/account/trusts', {
      name: 'pipeline',
      issuer: `https://${HOST}`,
      claims: { project_id: '1', ref_path: 'refs/heads/main' },
      scope: 'read',
    });

    expect(status).toBe(422);
    expect(body['findings']).toEqual([expect.objectContaining({ where: '/issuer' })]);
  });

  test('is refused as that of an account', async () => {
    const { status, body } = await owner.send('POST', '/accounts', { email: `bob@${ASCII}` });

    expect(status).toBe(422);
    expect(body['findings']).toEqual([
      expect.objectContaining({ where: '/email', what: 'a domain that looks like another one' }),
    ]);
  });
});

describe('an account', () => {
  test('is not reached by an address whose letters only become its own', async () => {
    const { password } = await service.person('kim@example.com');
    const sessions = (email: string) => owner.send('POST', '/sessions', { email, password });

    expect((await sessions('KIM@example.com')).status).toBe(200);
    expect((await sessions('\u212Aim@example.com')).status).toBe(401);
  });
});
