import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { finding } from '../../platform/rules/refusal/finding.ts';
import { lookAlikeFindings } from '../../platform/rules/look-alike.ts';
import type { Credential } from '../../target/rules/credential.ts';
import { isUnencrypted } from '../../target/rules/target.ts';
import { isPrivateJwk } from './private-jwk.ts';

type OAuthClient = Extract<Credential, { type: 'oauth_client' }>;

const MAX_CHARACTERS = 2048;
const MAX_SECRET_BYTES = 8192;
const MAX_SCOPES = 50;
const MAX_EXTRA = 10;
const MAX_KEY_BYTES = 16_384;

/** Printable ASCII. Source: RFC 6749 Appendix A. */
const PLAIN = /^[\x20-\x7e]+$/;
/** Source: RFC 6749 §3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Parameters of the token request that `extra` cannot set: each has a member of its own. */
const TAKEN: ReadonlySet<string> = new Set([
  'audience',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'grant_type',
  'resource',
  'scope',
]);

/** Findings about an OAuth client. Never repeats a secret. */
export const oauthClientFindings = (client: OAuthClient): readonly Finding[] => [
  ...serverFindings(client),
  ...line('/client_id', client.clientId),
  ...(client.audience === undefined ? [] : line('/audience', client.audience)),
  ...(client.resource === undefined ? [] : resourceFindings(client.resource)),
  ...scopeFindings(client.scopes ?? []),
  ...extraFindings(client.extra ?? {}),
  ...secretFindings(client),
];

/** Exactly one of `issuer` and `tokenUrl` must lead to the token endpoint. */
const serverFindings = ({ issuer, tokenUrl, tokenOrigin }: OAuthClient): readonly Finding[] => {
  if ((issuer === undefined) === (tokenUrl === undefined)) {
    const where = issuer === undefined ? '/token_url' : '/issuer';
    const what = issuer === undefined ? 'missing' : 'given besides a token endpoint';
    return [
      finding(where, what, 'Give `issuer`, whose metadata name the endpoint, or `token_url`.'),
    ];
  }
  const where = issuer === undefined ? '/token_url' : '/issuer';
  const url = URL.parse(issuer ?? tokenUrl ?? '');
  const given = issuer ?? tokenUrl ?? '';
  if (!url || !/^https?:$/.test(url.protocol) || given.length > MAX_CHARACTERS) {
    return [finding(where, 'no URL', 'Write it whole: https://login.example.com/oauth2/token')];
  }
  if (isUnencrypted(given)) {
    return [finding(where, 'not encrypted', 'A secret is sent there: use https.')];
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return [finding(where, 'has more than a place', 'Leave user name, password and `#` out.')];
  }
  if (issuer !== undefined && url.search !== '') {
    return [finding(where, 'has a query', 'An issuer is a URL without one (RFC 8414).')];
  }
  const lookAlikes = lookAlikeFindings(where, given);
  if (lookAlikes.length > 0) return lookAlikes;
  return tokenOrigin === undefined ||
    (URL.canParse(tokenOrigin) && new URL(tokenOrigin).origin === tokenOrigin)
    ? []
    : [finding('/token_origin', 'no origin', 'Write scheme and host, or leave it out.')];
};

const resourceFindings = (resource: string): readonly Finding[] => {
  const url = URL.parse(resource);
  return url && url.hash === '' && resource.length <= MAX_CHARACTERS
    ? []
    : [finding('/resource', 'no URI of a resource', 'Write it whole, without `#` (RFC 8707).')];
};

const scopeFindings = (scopes: readonly string[]): readonly Finding[] => {
  if (scopes.length > MAX_SCOPES) {
    return [finding('/scopes', 'too many', `Name at most ${MAX_SCOPES}.`)];
  }
  return scopes.flatMap((scope, index) =>
    SCOPE.test(scope) && scope.length <= MAX_CHARACTERS
      ? []
      : [finding(`/scopes/${index}`, 'no scope', 'Give each scope for itself, without spaces.')],
  );
};

const extraFindings = (extra: Readonly<Record<string, string>>): readonly Finding[] => {
  const fields = Object.entries(extra);
  if (fields.length > MAX_EXTRA) {
    return [finding('/extra', 'too many fields', `Give at most ${MAX_EXTRA}.`)];
  }
  return fields.flatMap(([name, value]) => {
    const where = `/extra/${name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (TAKEN.has(name)) {
      return [finding(where, 'a field that is sent anyway', 'Use the member of that name.')];
    }
    return name.length <= 256 &&
      PLAIN.test(name) &&
      PLAIN.test(value) &&
      value.length <= MAX_CHARACTERS
      ? []
      : [finding(where, 'has characters that cannot be sent', 'Use printable ASCII.')];
  });
};

const secretFindings = ({
  clientAuth,
  clientSecret,
  privateJwk,
}: OAuthClient): readonly Finding[] => {
  if (clientAuth === 'private_key_jwt') {
    if (clientSecret !== undefined) {
      return [
        finding('/client_secret', 'not used', 'A client that signs has `private_jwk` alone.'),
      ];
    }
    const isKey =
      privateJwk !== undefined &&
      isPrivateJwk(privateJwk) &&
      Buffer.byteLength(JSON.stringify(privateJwk)) <= MAX_KEY_BYTES;
    return isKey
      ? []
      : [
          finding(
            '/private_jwk',
            'no private key that signs',
            'Give a JSON Web Key with its private part: RSA, P-256, P-384, P-521 or Ed25519.',
          ),
        ];
  }
  if (privateJwk !== undefined) {
    const hint = 'Say `client_auth` is `private_key_jwt`, or leave the key out.';
    return [finding('/private_jwk', 'not used', hint)];
  }
  if (clientSecret === undefined || clientSecret === '') {
    return [finding('/client_secret', 'missing', 'Give the secret of the client.')];
  }
  return Buffer.byteLength(clientSecret) <= MAX_SECRET_BYTES && clientSecret.isWellFormed()
    ? []
    : [finding('/client_secret', 'too long', `Give at most ${MAX_SECRET_BYTES} bytes.`)];
};

const line = (where: string, value: string): readonly Finding[] =>
  PLAIN.test(value) && value.length <= MAX_CHARACTERS
    ? []
    : [finding(where, 'empty, or not printable ASCII', 'Give it in one line.')];
