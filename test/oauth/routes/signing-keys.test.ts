import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { operatorCommands } from '../../../layers/oauth/routes/operator.ts';
import { server } from '../../../layers/oauth/routes/server.ts';
import { dynamoSigningKeyRoles } from '../../../layers/tokens/store/signing-key-roles.ts';
import { kmsClient } from '../../../layers/platform/kms/client.ts';
import { kmsSigner } from '../../../layers/tokens/store/signer.ts';
import { kmsSigningKeys } from '../../../layers/tokens/store/signing-keys.ts';
import type { User } from '../../../layers/accounts/rules/user.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { DAY, HOUR } from '../../../layers/platform/rules/time.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import {
  anOAuthService,
  BASE_URL,
  ISSUER,
  NOON,
  type TestOAuth,
} from '../../support/oauth/oauth.ts';
import { bodyOf, oauth } from '../../support/oauth/oauth-requests.ts';
import { anEvent } from '../../support/mcp/router-events.ts';

let service: TestOAuth;
let ada: User;
let table = 0;

beforeAll(async () => {
  service = await anOAuthService();
  ada = await service.user();
});
afterAll(() => service.stop());

/** The key of minted tokens that has the role of one of sessions. */
const mintingKeyOf = (id: string): string => `${id}-minting`;

type Instance = ReturnType<typeof anInstance>;

/** One instance of the function, with what it remembers, on keys of their own. */
const anInstance = (keyIds: readonly string[]) => {
  const { endpoint, region, credentials } = connectionOf(service.store.aws, 'test');
  const open = kmsClient({ endpoint, region, credentials });
  const dynamo = service.store.instance();
  const register = dynamoSigningKeyRoles(dynamo, service.store.tableName('oauth'), keyIds);
  const signingKeys = kmsSigningKeys(open, register, service.clock);
  const mintingKeys = kmsSigningKeys(open, register, service.clock, mintingKeyOf);
  const signer = kmsSigner(open, signingKeys);
  const ports = {
    ...service.ports,
    signingKeys,
    mintingKeys,
    signer,
    signingKeyRegister: register,
  };
  return { ports, send: server(ports), operate: operatorCommands(ports) };
};

/** Keys that have never signed, and no memory of others. */
const newKeys = async (count: number): Promise<readonly string[]> => {
  table += 1;
  const keyIds = Array.from({ length: count }, (_, index) => `alias/test-${table}-${index}`);
  for (const keyId of keyIds) {
    await service.store.aws.createSigningKey(keyId);
    await service.store.aws.createSigningKey(mintingKeyOf(keyId));
  }
  return keyIds;
};

const rotate = ({ operate }: Instance) => operate({ operator: 'rotate-signing-key' });

const kidsAt = async ({ send }: Instance): Promise<readonly unknown[]> => {
  const { keys } = bodyOf(await send(anEvent('GET', oauth('/.well-known/jwks.json')))) as {
    keys: readonly { kid: unknown }[];
  };
  // Those of minted tokens come behind, as many: they rotate together.
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  expect(keys.length % 2).toBe(0);
  return keys.slice(0, keys.length / 2).map(({ kid }) => kid);
};

/** A session that outlives every key, so that only its signature can end it. */
const aToken = async ({ ports: { sessions, signer } }: Instance): Promise<string> => {
  const { id: userId, email } = ada;
  const expiresAt = NOON + 100 * DAY;
  await sessions.put(fingerprint('sid'), {
    kind: 'api',
    userId,
    email,
    createdAt: NOON,
    expiresAt,
  });
  return signer.sign('session+jwt', {
    iss: ISSUER,
    aud: `${BASE_URL}/mcp-management`,
    sub: userId,
    sid: 'sid',
    exp: expiresAt,
  });
};
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

/** Whether a request with the token is let in; it ends the session, which `aToken` makes again. */
const isAccepted = async ({ send }: Instance, token: string): Promise<boolean> => {
  const headers = { authorization: `Bearer ${token}` };
  const { statusCode } = await send(
    anEvent('DELETE', '/v1/mcp-management/sessions/current', { headers }),
  );
  return statusCode === 204;
};

describe('the rotation of the signing key', () => {
  let keyIds: readonly string[];
  let instance: Instance;
  beforeEach(async () => {
    service.clock.time = NOON;
    keyIds = await newKeys(2);
    instance = anInstance(keyIds);
    const TableName = service.store.tableName('oauth');
    const Key = { pk: 'SIGNINGKEYS' };
    await service.store.instance().send(new DeleteCommand({ TableName, Key }));
  });

  test('begins with one key, the first of those that are configured', async () => {
    const token = await aToken(instance);

    expect(await kidsAt(instance)).toEqual([kidOf(token)]);
  });

  test('publishes the next key for an hour before it signs', async () => {
    const first = kidOf(await aToken(instance));
    expect(await rotate(instance)).toEqual({
      ok: true,
      step: 'published',
      nextKeySignsFrom: new Date((NOON + HOUR) * 1000).toISOString(),
    });

    service.clock.time = NOON + HOUR - 1;
    expect(await rotate(instance)).toMatchObject({ ok: true, step: 'waiting' });
    const published = await kidsAt(instance);
    expect(published).toEqual([first, expect.not.stringMatching(String(first))]);
    expect(kidOf(await aToken(instance))).toBe(first);

    service.clock.time = NOON + HOUR;
    expect(await rotate(instance)).toMatchObject({ ok: true, step: 'rotated' });
    service.clock.time += 15;
    expect(kidOf(await aToken(instance))).toBe(published[1]);
  });

  test('accepts tokens of the key before until the last of them has ended, and none after', async () => {
    const token = await aToken(instance);
    await rotate(instance);
    service.clock.time = NOON + HOUR;
    await rotate(instance);

    // Instances may sign with it for 15 seconds more, and what they sign lives a day at most.
    service.clock.time = NOON + HOUR + 15 + DAY - 1;
    expect(await kidsAt(instance)).toContain(kidOf(token));
    expect(await isAccepted(instance, token)).toBe(true);

    await aToken(instance);
    service.clock.time += 1;
    expect(await kidsAt(instance)).not.toContain(kidOf(token));
    expect(await kidsAt(instance)).toHaveLength(1);
    expect(await isAccepted(instance, token)).toBe(false);
    expect(await isAccepted(instance, await aToken(instance))).toBe(true);
  });

  test('is known to an instance that had read the keys before', async () => {
    const other = anInstance(keyIds);
    await isAccepted(other, await aToken(other));
    await rotate(instance);
    service.clock.time = NOON + HOUR;
    await rotate(instance);
    service.clock.time -= HOUR;
    const late = anInstance(keyIds);

    expect(await isAccepted(other, await aToken(late))).toBe(true);
  });

  test('looks once a minute at most for a key that is not there', async () => {
    const stranger = anInstance(await newKeys(1));
    const forged = await aToken(stranger);
    await isAccepted(instance, await aToken(instance));
    service.store.aws.calls.reset();
    for (let count = 0; count < 5; count += 1) {
      expect(await isAccepted(instance, forged)).toBe(false);
    }

    expect(service.store.aws.calls.count({ operation: 'GetItem' })).toBe(1);
  });

  test('never uses a key twice', async () => {
    for (let step = 0; step < 2; step += 1) {
      await rotate(instance);
      service.clock.time += HOUR;
    }

    expect(await rotate(instance)).toMatchObject({ ok: false, code: 'limit_reached' });
    const more = anInstance([...keyIds, ...(await newKeys(1))]);
    expect(await rotate(more)).toMatchObject({ ok: true, step: 'published' });
  });

  test('ends the key at once, and all that it has signed, where it is retired', async () => {
    const other = anInstance(keyIds);
    const before = await aToken(other);
    expect(await isAccepted(other, before)).toBe(true);
    const answer = await instance.operate({ operator: 'retire-signing-key' });

    expect(answer).toEqual({ ok: true, refusedFrom: '2026-11-20T12:00:15.000Z' });
    expect(await isAccepted(instance, before)).toBe(false);
    const after = await aToken(instance);
    expect(kidOf(after)).not.toBe(kidOf(before));
    expect(await kidsAt(instance)).toEqual([kidOf(after)]);
    service.clock.time += 15;
    await aToken(other);
    expect(await isAccepted(other, before)).toBe(false);
    expect(await isAccepted(other, after)).toBe(true);
  });

  test('retires the keys before as well, and takes the next one if it is published', async () => {
    const first = await aToken(instance);
    await rotate(instance);
    service.clock.time += HOUR;
    await rotate(instance);
    const more = anInstance([...keyIds, ...(await newKeys(1))]);
    await rotate(more);
    const signing = kidOf(await aToken(more));
    const next = (await kidsAt(more)).find((kid) => kid !== signing && kid !== kidOf(first));
    await more.operate({ operator: 'retire-signing-key' });
    service.clock.time += 15;

    expect(await kidsAt(more)).toEqual([next]);
    expect(await isAccepted(more, first)).toBe(false);
    expect(await isAccepted(more, await aToken(more))).toBe(true);
  });

  test('retires no key that no other could follow, and says what to do', async () => {
    const [only] = keyIds;
    const lonely = anInstance([String(only)]);

    expect(await lonely.operate({ operator: 'retire-signing-key' })).toMatchObject({
      ok: false,
      code: 'limit_reached',
      description: expect.stringContaining('signing_keys'),
    });
  });

  test('goes one step where two operators ask for it at once', async () => {
    const answers = await Promise.all([rotate(instance), rotate(anInstance(keyIds))]);

    expect(answers).toContainEqual(expect.objectContaining({ step: 'published' }));
    expect((await kidsAt(anInstance(keyIds))).length).toBe(2);
  });
});
