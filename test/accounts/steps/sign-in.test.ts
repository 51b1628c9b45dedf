import { afterAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../../../layers/accounts/steps/sign-in.ts';
import { anOAuthService } from '../../support/oauth/oauth.ts';
import { aPerson } from '../../support/oauth/people.ts';

const RIGHT = 'kestrel umbrella fog';
const DAY = 86_400;
const HALF_HOUR = 1800;

const service = await anOAuthService({ limits: { logins_per_minute_per_ip: 1_000_000 } });
afterAll(() => service.stop());

/** Counts the passwords that are held against the account's own; each costs nothing. */
const counting = () => {
  let evaluated = 0;
  const passwords = {
    ...service.ports.passwords,
    verify: async (_: unknown, password: string, hash: string | undefined) => {
      if (hash !== undefined) evaluated += 1;
      return hash !== undefined && password === RIGHT;
    },
  };
  return { ports: { ...service.ports, passwords }, evaluated: () => evaluated };
};

const from = (index: number): string => `198.51.100.${index % 250}`;

describe('signing in', () => {
  test('holds at most five of 200 passwords, 50 at once, from 200 addresses against the account', async () => {
    const { email } = await aPerson(service);
    const { ports, evaluated } = counting();
    const wanted = Array.from({ length: 200 }, (_, index) => (index === 45 ? RIGHT : 'wrong'));

    for (let first = 0; first < wanted.length; first += 50) {
      const batch = wanted.slice(first, first + 50);
      await Promise.all(
        batch.map((password, index) =>
          signIn(ports, { email, password, sourceIp: from(first + index) }),
        ),
      );
    }

    expect(evaluated()).toBeLessThanOrEqual(5);
    const later = { email, password: RIGHT, sourceIp: '203.0.113.1' };
    expect(await signIn(ports, later)).toBeUndefined();
  });

  test('lets the owner’s browser in on each day of a fortnight of attacks', async () => {
    const { email } = await aPerson(service);
    const { ports } = counting();
    const noon = service.clock.time;
    const owner = { email, password: RIGHT, sourceIp: '203.0.113.2' };
    let deviceToken = (await signIn(ports, owner))?.deviceToken;
    const days: boolean[] = [];

    for (let day = 0; day < 14; day += 1) {
      for (let second = 0; second < DAY; second += HALF_HOUR) {
        service.clock.time = noon + day * DAY + second;
        const sourceIp = from(second / HALF_HOUR);
        await signIn(ports, { email, password: 'wrong', sourceIp });
      }
      const signedIn = await signIn(ports, { ...owner, deviceToken });
      deviceToken = signedIn?.deviceToken;
      days.push(signedIn !== undefined);
    }
    const stranger = await signIn(ports, owner);
    service.clock.time = noon;

    expect(days).toEqual(Array.from({ length: 14 }, () => true));
    expect(stranger).toBeUndefined();
  });

  test('locks nobody again for one mistake after a lock has ended', async () => {
    const { email } = await aPerson(service);
    const { ports } = counting();
    const noon = service.clock.time;
    const attempt = (password: string) => signIn(ports, { email, password, sourceIp: from(1) });
    for (let count = 0; count < 5; count += 1) await attempt('wrong');
    service.clock.time = noon + 900;

    await attempt('wrong');
    const signedIn = await attempt(RIGHT);
    service.clock.time = noon;

    expect(signedIn?.user.email).toBe(email);
  });
});
