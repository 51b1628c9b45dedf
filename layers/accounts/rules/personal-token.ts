import * as z from 'zod/mini';
import { described, line, type ValueOf } from '../../platform/rules/shape.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';

/** What a token may do: the later ones all that those before them may. */
export const TOKEN_SCOPES = ['read', 'declare', 'all'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

const moment = z.int().check(z.minimum(0));

/** A slug, or the beginning of some with `*`. */
const SLUG_PATTERN = /^[a-z][a-z0-9-]{0,62}\*?$/;

/**
 * What a person gives a program of theirs to sign in by, such as a pipeline: for the management API alone, and never
 * for MCP endpoints.
 *
 * Source: docs/decisions/accounts.md, "Personal access tokens".
 */
export const PersonalToken = z.object({
  userId: z.string(),
  name: described(line(100, z.trim()), 'What it is for.'),
  scope: described(
    z.enum(TOKEN_SCOPES),
    '`read`: look, plan and check; `declare`: apply declarations too; `all`: whatever you may do with deployments.',
  ),
  slugs: z.exactOptional(
    described(
      z
        .array(z.string().check(z.regex(SLUG_PATTERN, 'Give a slug, or its beginning and `*`.')))
        .check(z.minLength(1), z.maxLength(20)),
      'The only deployments that it is for: slugs, or beginnings of some with `*`. Absent: all of yours.',
    ),
  ),
  /** Of one that a machine was given for a quarter of an hour: by which trust. */
  trust: z.exactOptional(z.string()),
  createdAt: moment,
  expiresAt: moment,
  /** The last day (UTC) that it was used. */
  usedOn: z.exactOptional(z.iso.date()),
});
export type PersonalToken = ValueOf<typeof PersonalToken>;

/** One as lists have it: by the fingerprint of what only its holder knows. */
export interface StoredPersonalToken {
  readonly id: Fingerprint;
  readonly token: PersonalToken;
}

/** By which scanners of secrets know one wherever it lies. */
const PREFIX = 'hmt_';
const FORM = /^hmt_([\w-]{43})([\da-f]{8})$/;

/** @param secret - 32 random bytes, base64url */
export const personalTokenText = (secret: string): string =>
  `${PREFIX}${secret}${checksum(secret)}`;

export const isPersonalToken = (token: string): boolean => token.startsWith(PREFIX);

/** @returns its secret; undefined for what is mistyped or cut, which costs no look into the store */
export const secretOfToken = (token: string): string | undefined => {
  const [, secret = '', sum] = FORM.exec(token) ?? [];
  return sum !== undefined && sum === checksum(secret) ? secret : undefined;
};

/** Another hash than the one that it is stored by. */
const checksum = (secret: string): string => fingerprint(PREFIX + secret).slice(0, 8);

/** Whether a token of one scope may do what needs another. */
export const reaches = (scope: TokenScope, needed: TokenScope): boolean =>
  TOKEN_SCOPES.indexOf(scope) >= TOKEN_SCOPES.indexOf(needed);

/** Whether a token is for a deployment. */
export const isForSlug = ({ slugs }: Pick<PersonalToken, 'slugs'>, slug: string): boolean =>
  slugs === undefined ||
  slugs.some((one) => (one.endsWith('*') ? slug.startsWith(one.slice(0, -1)) : slug === one));
