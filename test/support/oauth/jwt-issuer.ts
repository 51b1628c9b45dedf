import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { JwtAlgorithm, JwtIssuer } from '../../../layers/tokens/rules/jwt.ts';
import { NOON } from '../aws/dynamodb-fixtures.ts';
import { anHttpServer } from '../target/target-server.ts';

export interface TestIssuer extends AsyncDisposable {
  readonly config: JwtIssuer;
  /** How often its keys were asked for. */
  asked(): number;
  /** From now on it signs with a new key, which its key set has, and no other. */
  rotate(): Promise<void>;
  /** From now on its key set cannot be had. */
  fail(): void;
  /** A token for user `ann`, good for an hour; `claims` and `header` say what is different. */
  sign(claims?: Readonly<Record<string, unknown>>, header?: object): Promise<string>;
}

/** An issuer that is not ours, with keys of its own on loopback. */
export const anIssuer = async (alg: JwtAlgorithm = 'RS256'): Promise<TestIssuer> => {
  let rotations = 0;
  let key = await aKey(alg, 'key-0');
  let down = false;
  const server = await anHttpServer((_, response) =>
    down
      ? response.writeHead(503).end()
      : response
          .writeHead(200, { 'content-type': 'application/jwk-set+json' })
          .end(JSON.stringify({ keys: [key.jwk] })),
  );
  const config: JwtIssuer = {
    issuer: 'https://issuer.example.com/',
    jwksUri: `${server.url}/keys`,
    audience: 'api://pets',
    algorithms: [alg],
  };
  return {
    config,
    asked: () => server.requests.length,
    rotate: async () => {
      rotations += 1;
      key = await aKey(alg, `key-${rotations}`);
    },
    fail: () => {
      down = true;
    },
    sign: (claims = {}, header = {}) =>
      new SignJWT({
        iss: config.issuer,
        aud: config.audience,
        sub: 'ann',
        exp: NOON + 3600,
        ...claims,
      })
        .setProtectedHeader({ alg, kid: key.kid, ...header })
        .sign(key.privateKey),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

const aKey = async (alg: string, kid: string) => {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  return { kid, jwk, privateKey };
};
