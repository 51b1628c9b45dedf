import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
} from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { inOneMinute } from '../../support/minute.ts';
import { aPublishingClient, type PublishingClient } from '../../support/oauth/publishing-client.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

const MANY = 1_000_000;
const MOST = 3;

const services: WholeService[] = [];
const aService = async (limits: Parameters<typeof startWholeService>[0]): Promise<WholeService> => {
  const service = await startWholeService(limits);
  services.push(service);
  return service;
};
afterAll(() => Promise.all(services.map((service) => service.stop())));

const unlimited = await aService({
  client_assertions_per_minute_per_ip: MANY,
  client_assertions_per_minute_per_client: MANY,
});

interface Own {
  readonly jwk: JWK;
  readonly sign: CryptoKey;
  readonly alg: string;
}

const anEs256Key = async (): Promise<Own> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { jwk: await exportJWK(publicKey), sign: privateKey, alg: 'ES256' };
};

/** Answers of the endpoints to whom they know: neither the refresh token nor the one to revoke is there. */
const KNOWN = { token: 400, revoke: 200 } as const;
const ENDPOINTS = ['token', 'revoke'] as const;

const clientOf = (
  { sign, alg }: Own,
  keys: readonly JWK[],
  { inline = false, issuer = unlimited.issuer } = {},
): Promise<PublishingClient> => aPublishingClient({ issuer, keys, inline, sign, alg });

const said = async (answer: Response) => ({
  status: answer.status,
  error: answer.status === 200 ? undefined : ((await answer.json()) as { error?: string }).error,
});
const REFUSED = { status: 401, error: 'invalid_client' };
const LIMITED = { status: 429, error: 'too_many_requests' };

const expectKnown = async (client: PublishingClient, header = {}) => {
  for (const endpoint of ENDPOINTS) {
    expect((await client.send(endpoint, { header })).status).toBe(KNOWN[endpoint]);
  }
};
const expectRefused = async (client: PublishingClient, header = {}) => {
  for (const endpoint of ENDPOINTS) {
    expect(await said(await client.send(endpoint, { header }))).toEqual(REFUSED);
  }
};

describe.each(ENDPOINTS)('client assertions at /%s', (endpoint) => {
  test('are counted by address, good ones too, and none beyond the limit fetches anything', async () => {
    const { issuer } = await aService({
      client_assertions_per_minute_per_ip: MOST,
      client_assertions_per_minute_per_client: MANY,
    });
    const own = await anEs256Key();
    await using first = await clientOf(own, [own.jwk], { issuer });
    await using second = await clientOf(own, [own.jwk], { issuer });
    await inOneMinute();
    for (let count = 0; count < MOST; count += 1) {
      expect((await first.send(endpoint)).status).toBe(KNOWN[endpoint]);
    }

    expect(await said(await first.send(endpoint))).toEqual(LIMITED);
    expect(await said(await second.send(endpoint))).toEqual(LIMITED);
    expect(second.fetched()).toEqual([]);
    const from = '127.0.0.9';
    expect((await second.send(endpoint, { from })).status).toBe(KNOWN[endpoint]);
  });

  test('are counted by client and address before keys are fetched, good ones too', async () => {
    const { issuer } = await aService({
      client_assertions_per_minute_per_ip: MANY,
      client_assertions_per_minute_per_client: MOST,
    });
    const own = await anEs256Key();
    await using client = await clientOf(own, [own.jwk], { issuer });
    await using other = await clientOf(own, [own.jwk], { issuer });
    await inOneMinute();
    for (let count = 0; count < MOST; count += 1) {
      expect((await client.send(endpoint)).status).toBe(KNOWN[endpoint]);
    }
    // A key that nobody has seen is looked for at its address, as long as there is any left to count.
    const before = client.fetched().length;

    expect(await said(await client.send(endpoint, { header: { kid: 'another' } }))).toEqual(
      LIMITED,
    );
    expect(client.fetched()).toHaveLength(before);
    // Of another client that key is looked for.
    expect((await other.send(endpoint)).status).toBe(KNOWN[endpoint]);
    expect(await said(await other.send(endpoint, { header: { kid: 'another' } }))).toEqual(REFUSED);
    expect(other.fetched()).toEqual(['/client.json', '/keys', '/keys']);
    expect((await client.send(endpoint, { from: '127.0.0.9' })).status).toBe(KNOWN[endpoint]);
  });

  test('are for this server alone', async () => {
    const own = await anEs256Key();
    await using client = await clientOf(own, [own.jwk]);
    const { issuer } = unlimited;
    const answerFor = async (aud: unknown) =>
      said(await client.send(endpoint, { claims: { aud } }));

    for (const aud of [issuer, [issuer], `${issuer}/token`]) {
      expect(await answerFor(aud)).toMatchObject({ status: KNOWN[endpoint] });
    }
    for (const aud of [
      [issuer, 'https://evil.example/token'],
      ['https://evil.example/token', `${issuer}/token`],
      [issuer, `${issuer}/token`],
      'https://evil.example/token',
      `${issuer}/revoke`,
      [],
      undefined,
    ]) {
      expect(await answerFor(aud)).toEqual(REFUSED);
    }
  });
});

describe.each([false, true])('keys that a client publishes, in its document: %s', (inline) => {
  test('are at most 20', async () => {
    const own = { ...(await anEs256Key()) };
    const others = await Promise.all(Array.from({ length: 20 }, anEs256Key));
    const named = others.map(({ jwk }, n) => ({ ...jwk, kid: `${n}` }));
    const mine = { ...own.jwk, kid: 'mine' };
    await using few = await clientOf(own, [...named.slice(1), mine], { inline });
    await using many = await clientOf(own, [...named, mine], { inline });

    await expectKnown(few, { kid: 'mine' });
    await expectRefused(many, { kid: 'mine' });
  });

  test('are tried up to the fourth where an assertion does not name its own', async () => {
    const own = await anEs256Key();
    const others = (await Promise.all(Array.from({ length: 4 }, anEs256Key))).map(({ jwk }) => jwk);
    await using fourth = await clientOf(own, [...others.slice(1), own.jwk], { inline });
    await using fifth = await clientOf(own, [...others, own.jwk], { inline });

    await expectKnown(fourth);
    await expectRefused(fifth);
  });

  test.each([
    [4096, true],
    [4104, false],
  ])('have a modulus of %d bits: %s', async (modulusLength, isTaken) => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength });
    const own = { jwk: await exportJWK(publicKey), sign: privateKey, alg: 'RS256' };
    await using client = await clientOf(own, [own.jwk], { inline });

    await (isTaken ? expectKnown : expectRefused)(client);
  });

  test.each([
    ['of 32 bits', 2n ** 32n - 5n, true],
    ['of 33 bits', 2n ** 32n + 15n, false],
  ])('have an exponent %s: %s', async (_, exponent, isTaken) => {
    const own = await anRsaKeyWith(exponent);
    await using client = await clientOf(own, [own.jwk], { inline });

    await (isTaken ? expectKnown : expectRefused)(client);
  });
});

/** RS256 with a public exponent that no library makes keys for: any that its primes allow. */
const anRsaKeyWith = async (exponent: bigint): Promise<Own> => {
  for (;;) {
    const made = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const { n, p, q } = made.export({ format: 'jwk' });
    const [modulus, a, b] = [n, p, q].map((text = '') => numberOf(text)) as [
      bigint,
      bigint,
      bigint,
    ];
    const d = inverse(exponent, (a - 1n) * (b - 1n));
    if (d === undefined) continue;
    const key: JsonWebKey = {
      kty: 'RSA',
      n: textOf(modulus),
      e: textOf(exponent),
      d: textOf(d),
      p: textOf(a),
      q: textOf(b),
      dp: textOf(d % (a - 1n)),
      dq: textOf(d % (b - 1n)),
      qi: textOf(inverse(b, a) ?? 0n),
    };
    const jwk = createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' });
    return {
      jwk: jwk as JWK,
      sign: (await importJWK(key as JWK, 'RS256')) as CryptoKey,
      alg: 'RS256',
    };
  }
};

const numberOf = (text: string): bigint =>
  BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);

const textOf = (number: bigint): string => {
  const hex = number.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
};

/** Of a number modulo another; undefined where there is none. */
const inverse = (number: bigint, modulo: bigint): bigint | undefined => {
  let [a, b, x, y] = [number % modulo, modulo, 1n, 0n];
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return a === 1n ? ((x % modulo) + modulo) % modulo : undefined;
};
