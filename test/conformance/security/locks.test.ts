import { afterAll, describe, expect, test } from '@jest/globals';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

const service = await startWholeService();
afterAll(() => service.stop());

interface Attempt {
  readonly status: number;
  readonly deviceToken: string | undefined;
}

const signIn = async (
  { email }: Person,
  password: string,
  deviceToken?: string,
): Promise<Attempt> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, ...(deviceToken && { device_token: deviceToken }) }),
  });
  const { device_token } = (await answer.json()) as { readonly device_token?: string };
  return { status: answer.status, deviceToken: device_token };
};

const fail = async (person: Person, times: number): Promise<void> => {
  for (let count = 0; count < times; count += 1) {
    expect((await signIn(person, 'a wrong password')).status).toBe(401);
  }
};

describe('signing in with wrong passwords', () => {
  test('locks the account at the fifth and not before, for whoever comes from a new place', async () => {
    const person = await service.person();

    await fail(person, 4);
    expect((await signIn(person, person.password)).status).toBeLessThan(300);

    await fail(person, 5);
    expect((await signIn(person, person.password)).status).toBe(401);
  });

  test('gains nothing by being many at once, the right password among them', async () => {
    const person = await service.person();
    const passwords = Array.from({ length: 12 }, (_, index) =>
      index === 11 ? person.password : `a wrong password ${index}`,
    );

    const answers = await Promise.all(passwords.map((password) => signIn(person, password)));

    // Five may be looked at, whichever come first; all others are refused unseen.
    expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(11);
    expect((await signIn(person, person.password)).status).toBe(401);
  });

  test('keeps no program out that has signed in before', async () => {
    const person = await service.person();
    const { deviceToken } = await signIn(person, person.password);
    expect(deviceToken).toEqual(expect.any(String));

    await fail(person, 6);

    expect((await signIn(person, person.password)).status).toBe(401);
    expect((await signIn(person, person.password, 'a token of nobody')).status).toBe(401);
    expect((await signIn(person, person.password, deviceToken)).status).toBeLessThan(300);
  });

  test('keeps no browser out that has signed in before', async () => {
    const person = await service.person();
    const { email, password } = person;
    const client = await aRawClient(service);
    const address = client.address(await service.publish(person));
    const login = async (browser: ReturnType<WholeService['browser']>) =>
      browser.submit(await browser.open(address), '/login', { email, password });
    const known = service.browser();
    await known.submit(await login(known), '/logout');

    await fail(person, 6);

    expect((await login(service.browser())).status).toBe(400);
    expect((await login(known)).status).toBe(200);
  });
});
