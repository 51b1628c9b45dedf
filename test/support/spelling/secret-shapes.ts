import type { Credential } from '../../../layers/target/rules/credential.ts';

/** A credential, and what of it nobody may read in an answer. */
export interface SecretShape {
  readonly name: string;
  readonly credential: Credential;
  /** What the target knows, and writes into its answers. */
  readonly secret: string;
}

const key = (value: string): Credential => ({ type: 'api_key', in: 'query', name: 'key', value });
const basic = (username: string, password: string): Credential => ({
  type: 'basic',
  username,
  password,
});
const pair = (username: string, password: string) =>
  Buffer.from(`${username}:${password}`, 'utf8').toString('base64');

const JWT = [
  { alg: 'RS256', typ: 'JWT', kid: '2026-11' },
  {
    iss: 'https://issuer.example',
    sub: 'a'.repeat(200),
    roles: Array.from({ length: 20 }, (_, n) => `r${n}`),
  },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('c2lnbmF0dXJl-X_9'.repeat(20))
  .join('.');

const bearer = (token: string): Credential => ({ type: 'bearer', token });
const shape = (name: string, secret: string, credential: Credential): SecretShape => ({
  name,
  secret,
  credential,
});

const EQUALS = 'Zm9vYmFyLXNlY3JldC1rZXktMTIzNDU2Nzg5MA==';
const QUOTES = `pa"ss'word"4711`;
const BACKSLASHES = String.raw`C:\keys\9f86d081`;
const HTML = `a<b>c&d'e+f-12345`;
const SPACES = 'correct horse battery staple';
const LETTERS = 'Größe-пароль-4711';
const ASTRAL = 'key-😀-𝒳-4711';
const BASE64 = 'q+83/Zxv7/AbCdEf+hQ=';

/** Each shape of a secret that some serializer writes in its own way. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  shape('with = at its end', EQUALS, bearer(EQUALS)),
  shape('with quotes', QUOTES, key(QUOTES)),
  shape('with backslashes', BACKSLASHES, key(BACKSLASHES)),
  shape(`with <>&'+`, HTML, bearer(HTML)),
  shape('with spaces', SPACES, key(SPACES)),
  shape('with letters beyond ASCII', LETTERS, basic('anna', LETTERS)),
  shape('with characters beyond the first plane', ASTRAL, key(ASTRAL)),
  shape('in base64', BASE64, { type: 'api_key', in: 'header', name: 'X-Key', value: BASE64 }),
  shape('a password', 'sunshine4711', basic('admin', 'sunshine4711')),
  shape(
    'a user and a password as they are sent',
    pair('admin', 'hunter2+x'),
    basic('admin', 'hunter2+x'),
  ),
  shape('a user name without a password', 'sk_live_51HxYz', basic('sk_live_51HxYz', '')),
  shape('a long JWT', JWT, bearer(JWT)),
  shape('of eight characters', 'hunter22', bearer('hunter22')),
];
