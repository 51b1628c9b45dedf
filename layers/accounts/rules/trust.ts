import * as z from 'zod/mini';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import {
  checkSoleAudience,
  checkTime,
  dateClaim,
  type Jwt,
  textClaim,
} from '../../tokens/rules/jwt.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { lookAlikeFindings } from '../../platform/rules/look-alike.ts';
import { described, line, type ValueOf } from '../../platform/rules/shape.ts';
import { type EpochSeconds, HOUR, MINUTE } from '../../platform/rules/time.ts';
import { AWS_ROLES } from './caller-identity.ts';
import { PersonalToken } from './personal-token.ts';
import { looseness, namesAmong, platformsMeant, platformsOfToken } from './platforms.ts';
import type { TokenScope } from './token-scopes.ts';
import { isUnencrypted } from '../../target/rules/target.ts';
import type { User } from './user.ts';

export const GITHUB = 'https://token.actions.githubusercontent.com';

const { name, scope, slugs, createdAt, usedOn } = PersonalToken.shape;
const address = z.url({ protocol: /^https?$/ }).check(z.maxLength(500));

/**
 * Lets machines sign in without a secret: an issuer and the claims that its tokens must have.
 * Source: docs/decisions/accounts.md, "Machines without a secret".
 */
export const Trust = z.object({
  userId: z.string(),
  name,
  issuer: described(address, 'Compared byte for byte with `iss`.'),
  jwksUri: z.exactOptional(
    described(
      address,
      'Where it publishes its keys; `/.well-known/jwks` at the issuer if omitted.',
    ),
  ),
  claims: described(
    z.record(z.string().check(z.minLength(1), z.maxLength(100)), line(500)),
    'Claims and the text that each has to have.',
  ),
  scope,
  slugs,
  createdAt,
  /** The trust ends at this time; absent: it is active. */
  endedAt: z.exactOptional(z.int()),
  usedOn,
});
export type Trust = ValueOf<typeof Trust>;

export interface KeptTrust {
  readonly id: string;
  readonly trust: Trust;
}

/** Whether a trust has ended by itself, or with all that an operator ended of the account. */
export const isTrustEnded = (
  { trustsEndedAt = 0 }: Pick<User, 'trustsEndedAt'>,
  { createdAt: beganAt, endedAt }: Pick<Trust, 'createdAt' | 'endedAt'>,
): boolean => endedAt !== undefined || beganAt < trustsEndedAt;

const MOST_CLAIMS = 10;
/** The AWS SDK refuses to store objects with a member of this name. */
const UNSTORABLE = 'constructor';
/** Claims about the token itself, which say nothing about the machine. */
const OF_TOKENS = ['iss', 'aud', 'exp', 'iat', 'nbf', 'jti'];
export const trustFindings = ({
  issuer,
  jwksUri,
  claims,
}: Pick<Trust, 'claims' | 'issuer' | 'jwksUri'>): readonly Finding[] => {
  const names = Object.keys(claims);
  const own = names.filter((one) => OF_TOKENS.includes(one));
  const findings: Finding[] = own.map((one) => ({
    where: `/claims/${one}`,
    what: 'says something of the token, and nothing of whom it is for',
    hint: 'Leave it out: it is checked in any case.',
  }));
  if (names.includes(UNSTORABLE)) {
    findings.push({
      where: `/claims/${UNSTORABLE}`,
      what: 'no name that a claim can have here',
      hint: 'Give other claims.',
    });
  }
  findings.push(...lookAlikeFindings('/issuer', issuer));
  if (isUnencrypted(jwksUri ?? issuer)) {
    findings.push({
      where: jwksUri === undefined ? '/issuer' : '/jwks_uri',
      what: 'not encrypted, so that its keys are not fetched',
      hint: 'Use https.',
    });
  }
  if (names.length > MOST_CLAIMS) {
    findings.push({ where: '/claims', what: `more than ${MOST_CLAIMS}`, hint: 'Give fewer.' });
  }
  if (issuer === AWS_ROLES) return [...findings, ...awsFindings(claims)];
  const platforms = platformsMeant(issuer, names);
  if (platforms.length === 0) return [...findings, ...otherFindings(names)];
  return [
    ...findings,
    ...platforms.flatMap((one) => [...namesAmong(one, names), ...looseness(one, names)]),
  ];
};

const awsFindings = (claims: Trust['claims']): readonly Finding[] => [
  ...(/^\d{12}$/.test(claims['account'] ?? '')
    ? []
    : [{ where: '/claims/account', what: 'no account of AWS', hint: 'Give its twelve digits.' }]),
  ...(/^[\w+=,.@-]{1,64}$/.test(claims['role'] ?? '')
    ? []
    : [
        {
          where: '/claims/role',
          what: 'no name of a role',
          hint: 'Give its name alone, without path: AWS does not say that of who calls.',
        },
      ]),
];

const otherFindings = (names: readonly string[]): readonly Finding[] =>
  names.length >= 2
    ? []
    : [
        {
          where: '/claims',
          what: 'fewer than two',
          hint: 'Give claims that say who it is and where it runs, such as project_id and ref.',
        },
      ];

/** Never symmetric. Source: RFC 8725 §3.2. */
export const TRUST_ALGORITHMS = ['RS256', 'ES256'] as const;

const LEEWAY_SECONDS = MINUTE;
const MOST_SECONDS = HOUR;

export const jwksUriOf = ({ issuer, jwksUri }: Pick<Trust, 'issuer' | 'jwksUri'>): string =>
  jwksUri ?? `${issuer}/.well-known/jwks`;

/** Claims of a machine's token whose signature has not been checked yet. */
export interface MachineClaims {
  readonly keyId: string | undefined;
  /** Optional: CircleCI, for one, issues tokens without it. */
  readonly jti: string | undefined;
  /** End of validity; the token's use need not be remembered longer. */
  readonly endsAt: EpochSeconds;
  readonly claims: Jwt['claims'];
}

/**
 * Checks that apply to every machine's token: algorithm, issuer, audience, times and lifetime.
 * @throws InvalidToken
 * Source: RFC 7519 §4.1; RFC 8725 §3; docs/decisions/accounts.md, "Machines without a secret".
 */
export const readMachineToken = (
  { claims, keyId, algorithm }: Jwt,
  { issuer }: Trust,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: EpochSeconds },
): MachineClaims => {
  if (!TRUST_ALGORITHMS.some((one) => one === algorithm)) {
    throw new InvalidToken('algorithm not allowed');
  }
  if (claims['iss'] !== issuer) throw new InvalidToken('another issuer');
  checkSoleAudience(claims, [baseUrl]);
  checkTime(claims, now, LEEWAY_SECONDS);
  const issuedAt = dateClaim(claims, 'iat');
  if (issuedAt > now + LEEWAY_SECONDS) throw new InvalidToken('not issued yet');
  const expiresAt = dateClaim(claims, 'exp');
  const rules = platformsOfToken(claims).flatMap(({ token = [] }) => token);
  const most = Math.min(MOST_SECONDS, ...rules.map(({ mostSeconds }) => mostSeconds));
  if (expiresAt - issuedAt > most) throw new InvalidToken('lives too long');
  const isNumbered = claims['jti'] !== undefined || rules.some((one) => one.isNumbered);
  const jti = isNumbered ? textClaim(claims, 'jti') : undefined;
  return { keyId, jti, endsAt: Math.ceil(expiresAt) + LEEWAY_SECONDS, claims };
};

/** Claims whose value in a correctly signed token differs from what the trust requires. */
export const differingClaims = (
  { claims: wanted }: Trust,
  said: Jwt['claims'],
): readonly { readonly name: string; readonly said: string | undefined }[] =>
  Object.entries(wanted).flatMap(([claim, text]) => {
    const value = Object.hasOwn(said, claim) ? said[claim] : undefined;
    const its = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    return its === text ? [] : [{ name: claim, said: its }];
  });

/**
 * Refuses tokens of a CI platform if the trust requires too few of its claims: such a trust was made for another
 * platform, or before these rules, and might accept other people's pipelines.
 * @throws InvalidToken whose text says what to do
 */
export const checkAsked = ({ claims: wanted }: Trust, said: Jwt['claims']): void => {
  const asked = Object.keys(wanted);
  for (const platform of platformsOfToken(said)) {
    const [first] = looseness(platform, asked);
    if (first) {
      throw new InvalidToken(
        `it is of ${platform.name}, of which the trust asks too little (${first.where}: ${first.what}): end the trust, and add one that asks for it`,
      );
    }
  }
};

/** `read` for code that nobody has accepted yet, such as that of a pull request. */
export const grantedScope = ({ scope: most }: Trust, said: Jwt['claims']): TokenScope =>
  platformsOfToken(said).every(({ isAccepted }) => isAccepted(said)) ? most : 'read';
