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

describe('an account', () => {
  test('is not reached by an address whose letters only become its own', async () => {
    const { password } = await service.person('kim@example.com');
    const sessions = (email: string) => owner.send('POST', '/sessions', { email, password });

    expect((await sessions('KIM@example.com')).status).toBe(200);
    expect((await sessions('\u212Aim@example.com')).status).toBe(401);
  });
});
