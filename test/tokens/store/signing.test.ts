import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  type JSONWebKeySet,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import { kmsClient } from '../../../layers/platform/kms/client.ts';
import { kmsSigner } from '../../../layers/tokens/store/signer.ts';
import { kmsSigningKeys } from '../../../layers/tokens/store/signing-keys.ts';
import { systemClock } from '../../../layers/platform/system/clock.ts';
import { firstRoles } from '../../../layers/tokens/rules/signing-keys.ts';
import { connectionOf, startTestAws, type TestAws } from '../../support/aws/aws.ts';

let aws: TestAws;
let keyId: string;
const OTHER_KEY = 'alias/another-signing';

beforeAll(async () => {
  aws = await startTestAws();
  keyId = aws.signingKey;
  await aws.aws.createSigningKey(OTHER_KEY);
});
afterAll(() => aws.stop());
afterEach(() => {
  aws.aws.faults.clear();
  aws.aws.calls.reset();
});

const anInstance = (KeyId = keyId) => {
  const { endpoint, region, credentials } = connectionOf(aws.aws, 'test');
  const open = kmsClient({ endpoint, region, credentials });
  const register = { keyIds: [KeyId], roles: async () => firstRoles([KeyId]) };
  const signingKeys = kmsSigningKeys(open, register, systemClock());
  return { signingKeys, signer: kmsSigner(open, signingKeys) };
};

const keySet = async (KeyId?: string): Promise<JWTVerifyGetKey> => {
  const keys = await anInstance(KeyId).signingKeys.list();
  return createLocalJWKSet({ keys } as unknown as JSONWebKeySet);
};

const claims = { iss: 'https://mcp.example.com/v1/mcp-oauth-server', sub: 'user-1', exp: 4e9 };

describe('the public signing keys', () => {
  test('are the key in KMS, named by its thumbprint, without a private part', async () => {
    const [key, ...others] = await anInstance().signingKeys.list();

    expect(others).toEqual([]);
    expect(key).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.stringMatching(/^[\w-]{43}$/),
      y: expect.stringMatching(/^[\w-]{43}$/),
      kid: await calculateJwkThumbprint(key!),
      alg: 'ES256',
      use: 'sig',
    });
  });

  test('are fetched once per instance, even for concurrent callers', async () => {
    const { signingKeys } = anInstance();
    const lists = await Promise.all(Array.from({ length: 20 }, () => signingKeys.list()));
    await signingKeys.list();

    expect(new Set(lists.map(([key]) => key?.kid)).size).toBe(1);
    expect(aws.aws.calls.list()).toMatchObject([{ operation: 'GetPublicKey', times: 1 }]);
  });

  test('are fetched again after a failure', async () => {
    const { signingKeys } = anInstance();
    aws.aws.faults.inject({ kind: 'fail', on: { service: 'kms' } });
    await expect(signingKeys.list()).rejects.toMatchObject({ neighbour: 'kms' });
    aws.aws.faults.clear();

    expect(await signingKeys.list()).toHaveLength(1);
  });

  test.each([
    ['the key does not exist', async () => '11111111-2222-3333-4444-555555555555'],
    ['no key is configured', async () => ''],
    ['the key is for encryption', async () => aws.credentialsKey],
  ])('are reported as a fault where %s', async (_, make) => {
    await expect(anInstance(await make()).signingKeys.list()).rejects.toMatchObject({
      name: 'Fault',
      neighbour: 'kms',
    });
  });
});

describe('a JWT signed in KMS', () => {
  test('is verified by the public keys and has type and key id', async () => {
    const jwt = await anInstance().signer.sign('at+jwt', claims);
    const { payload, protectedHeader } = await jwtVerify(jwt, await keySet(), {
      algorithms: ['ES256'],
      typ: 'at+jwt',
    });

    const [key] = await anInstance().signingKeys.list();
    const kid = key?.kid;
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid });
    expect(payload).toEqual(claims);
  });

  test('has a signature of exactly 64 bytes', async () => {
    const { signer } = anInstance();
    const keys = await keySet();
    for (let i = 0; i < 150; i += 1) {
      const jwt = await signer.sign('session+jwt', { ...claims, jti: `${i}` });
      expect(Buffer.from(jwt.split('.')[2]!, 'base64url')).toHaveLength(64);
      await expect(jwtVerify(jwt, keys)).resolves.toBeDefined();
    }
  });

  test('may have claims of any size and script', async () => {
    const large = { ...claims, name: 'Ådá 鍵'.repeat(2000) };
    const jwt = await anInstance().signer.sign('at+jwt', large);

    expect((await jwtVerify(jwt, await keySet())).payload).toEqual(large);
  });

  test('is not verified with other claims or another key', async () => {
    const [header, , signature] = (await anInstance().signer.sign('at+jwt', claims)).split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url');
    const foreign = await anInstance(OTHER_KEY).signer.sign('at+jwt', claims);

    const keys = await keySet();
    await expect(jwtVerify([header, forged, signature].join('.'), keys)).rejects.toThrow();
    await expect(jwtVerify(foreign, keys)).rejects.toThrow();
  });

  test('takes one call to KMS once the key is known', async () => {
    const { signer } = anInstance();
    await signer.sign('at+jwt', claims);
    aws.aws.calls.reset();
    await signer.sign('at+jwt', claims);

    expect(aws.aws.calls.list()).toMatchObject([{ operation: 'Sign', times: 1 }]);
  });

  test.each([
    ['fail', 'kms: InternalServerError'],
    ['throttle', 'kms: ThrottlingException'],
  ] as const)('fails without a claim in the message: %s', async (kind, message) => {
    const { signer } = anInstance();
    aws.aws.faults.inject({ kind, on: { operation: 'Sign' } });

    await expect(signer.sign('at+jwt', claims)).rejects.toMatchObject({ message });
  });
});
