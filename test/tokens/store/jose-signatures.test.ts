import { describe, expect, test } from '@jest/globals';
import { CompactSign, exportJWK, generateKeyPair, generateSecret, type JWK } from 'jose';
import { joseSignatures } from '../../../layers/tokens/store/jose-signatures.ts';
import { JWT_ALGORITHMS, type JwtAlgorithm } from '../../../layers/tokens/rules/jwt.ts';

const signatures = joseSignatures();

const aKey = async (alg: string, kid?: string) => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const named = kid === undefined ? {} : { kid };
  const jwk: JWK = { ...(await exportJWK(publicKey)), ...named };
  const sign = (header: object = {}, payload = '{}') =>
    new CompactSign(Buffer.from(payload))
      .setProtectedHeader({ alg, ...named, ...header })
      .sign(privateKey);
  return { jwk, privateKey, sign };
};

const check = (token: string, keys: readonly JWK[], algorithms: readonly JwtAlgorithm[]) =>
  signatures.check(token, keys as readonly Record<string, unknown>[], algorithms);
const refused = (why: string) => ({
  name: 'InvalidToken',
  why: `signature not accepted: ${why}`,
});

describe('the signature of a JWT', () => {
  test.each(JWT_ALGORITHMS)('of algorithm %s is accepted if allowed', async (algorithm) => {
    const { jwk, sign } = await aKey(algorithm, 'k');

    await expect(check(await sign(), [jwk], [algorithm])).resolves.toBeUndefined();
  });

  test('is verified with the key of its key id among several', async () => {
    const [one, other] = [await aKey('ES256', 'one'), await aKey('ES256', 'other')];

    await check(await other.sign(), [one.jwk, other.jwk], ['ES256']);
  });

  test('is verified with any of several keys if it has no key id', async () => {
    const [one, other] = [await aKey('ES256'), await aKey('ES256')];

    await check(await other.sign(), [one.jwk, other.jwk], ['ES256']);
  });

  test('is tried with four keys at most if it has no key id', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => aKey('ES256')));
    const jwks = keys.map(({ jwk }) => jwk);

    await check((await keys[3]?.sign()) ?? '', jwks, ['ES256']);
    await expect(check((await keys[4]?.sign()) ?? '', jwks, ['ES256'])).rejects.toMatchObject(
      refused('by none of 4 keys, and no key id says which'),
    );
  });

  test('is not tried with keys that would cost too much', async () => {
    const { jwk, sign } = await aKey('RS256');
    const costly: JWK = { ...jwk, e: '_'.repeat(342) };

    await check(await sign(), [...Array<JWK>(19).fill(costly), jwk], ['RS256']);
    await expect(check(await sign(), [costly], ['RS256'])).rejects.toMatchObject(
      refused('ERR_JWKS_NO_MATCHING_KEY'),
    );
  });

  test('is refused if none of several keys made it', async () => {
    const [one, other, stranger] = [await aKey('ES256'), await aKey('ES256'), await aKey('ES256')];

    await expect(
      check(await stranger.sign(), [one.jwk, other.jwk], ['ES256']),
    ).rejects.toMatchObject(refused('ERR_JWS_SIGNATURE_VERIFICATION_FAILED'));
  });

  test.each(['header', 'claims', 'signature'])(
    'is refused where its %s was altered',
    async (part) => {
      const { jwk, sign } = await aKey('ES256', 'k');
      const [header = '', claims = '', signature = ''] = (await sign({}, '{"sub":"ann"}')).split(
        '.',
      );
      const encoded = (text: string) => Buffer.from(text).toString('base64url');
      const changed = {
        header: [encoded('{"alg":"ES256","kid":"k","typ":"JWT"}'), claims, signature],
        claims: [header, encoded('{"sub":"bob"}'), signature],
        signature: [
          header,
          claims,
          `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
        ],
      }[part];

      await expect(check(String(changed?.join('.')), [jwk], ['ES256'])).rejects.toMatchObject(
        refused('ERR_JWS_SIGNATURE_VERIFICATION_FAILED'),
      );
    },
  );

  test('of an algorithm that is not allowed is refused', async () => {
    const { jwk, sign } = await aKey('ES384', 'k');

    await expect(check(await sign(), [jwk], ['ES256', 'RS256'])).rejects.toMatchObject(
      refused('ERR_JOSE_ALG_NOT_ALLOWED'),
    );
  });

  test('with a public key as an HMAC secret is refused, whatever is allowed', async () => {
    const { jwk } = await aKey('RS256', 'k');
    const forged = await new CompactSign(Buffer.from('{}'))
      .setProtectedHeader({ alg: 'HS256', kid: 'k' })
      .sign(Buffer.from(JSON.stringify(jwk)));

    await expect(check(forged, [jwk], ['RS256'])).rejects.toMatchObject(
      refused('ERR_JOSE_ALG_NOT_ALLOWED'),
    );
    await expect(check(forged, [jwk], ['HS256' as JwtAlgorithm])).rejects.toMatchObject({
      name: 'InvalidToken',
    });
  });

  test('with a symmetric key that an issuer publishes is refused', async () => {
    const secret = await generateSecret('HS256', { extractable: true });
    const jwk = { ...(await exportJWK(secret)), kid: 'k' };
    const token = await new CompactSign(Buffer.from('{}'))
      .setProtectedHeader({ alg: 'HS256', kid: 'k' })
      .sign(secret);

    await expect(check(token, [jwk], [...JWT_ALGORITHMS])).rejects.toMatchObject(
      refused('ERR_JOSE_ALG_NOT_ALLOWED'),
    );
  });

  test('is never verified with a key from the token itself', async () => {
    const { jwk, sign } = await aKey('ES256');
    const trusted = await aKey('ES256');
    const token = await sign({
      jwk,
      jku: 'https://evil.example/keys',
      x5u: 'https://evil.example',
    });

    await expect(check(token, [trusted.jwk], ['ES256'])).rejects.toMatchObject(
      refused('ERR_JWS_SIGNATURE_VERIFICATION_FAILED'),
    );
  });

  test.each([
    ['no keys', () => []],
    ['no key with its key id', ({ jwk }: { jwk: JWK }) => [{ ...jwk, kid: 'other' }]],
    ['a key for encryption', ({ jwk }: { jwk: JWK }) => [{ ...jwk, use: 'enc' }]],
    ['a key of another algorithm', ({ jwk }: { jwk: JWK }) => [{ ...jwk, alg: 'ES384' }]],
    ['a key of another type', ({ jwk }: { jwk: JWK }) => [{ ...jwk, kty: 'RSA' }]],
    ['an empty key', () => [{}]],
  ])('is refused with %s', async (_, keys) => {
    const key = await aKey('ES256', 'k');

    await expect(check(await key.sign(), keys(key), ['ES256'])).rejects.toMatchObject(
      refused('ERR_JWKS_NO_MATCHING_KEY'),
    );
  });

  test.each([
    ['is not on its curve', { x: 'AAAA', y: 'AAAA' }],
    ['lacks a coordinate', { x: undefined }],
    ['has coordinates that are not strings', { x: 7, y: {} }],
  ])('is refused if the key %s', async (_, over) => {
    const { jwk, sign } = await aKey('ES256', 'k');

    await expect(
      check(await sign(), [{ ...jwk, ...over } as JWK], ['ES256']),
    ).rejects.toMatchObject({ name: 'InvalidToken' });
  });

  test('is refused if the issuer publishes its private key', async () => {
    const { privateKey, sign } = await aKey('ES256', 'k');
    const jwk = { ...(await exportJWK(privateKey)), kid: 'k' };

    await expect(check(await sign(), [jwk], ['ES256'])).rejects.toMatchObject(
      refused('ERR_JWKS_INVALID'),
    );
  });

  test.each(['', 'a', 'a.b', 'a.b.c', 'e30.e30.e30', '..'])(
    'is refused in the malformed token %p',
    async (token) => {
      const { jwk } = await aKey('ES256', 'k');

      await expect(check(token, [jwk], ['ES256'])).rejects.toMatchObject({ name: 'InvalidToken' });
    },
  );
});
