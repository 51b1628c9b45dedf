import * as z from 'zod/mini';
import { described, line, type ValueOf } from '../../platform/rules/shape.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import { PERSONAL_TOKEN_PREFIX, SCOPE_TEXTS, TOKEN_SCOPES } from './token-scopes.ts';

const moment = z.int().check(z.minimum(0));

/** A slug, or a prefix of slugs with `*`. */
const SLUG_PATTERN = /^[a-z][a-z0-9-]{0,62}\*?$/;

/**
 * Personal access token: a person's program, such as a pipeline, signs in with it to the management API, never to MCP
 * endpoints.
 * Source: docs/decisions/accounts.md, "Personal access tokens".
 */
export const PersonalToken = z.object({
  userId: z.string(),
  name: described(line(100, z.trim()), 'What it is for.'),
  scope: described(
    z.enum(TOKEN_SCOPES),
    TOKEN_SCOPES.map((scope) => `\`${scope}\`: ${SCOPE_TEXTS[scope]}`).join('; ') + '.',
  ),
  slugs: z.exactOptional(
    described(
      z
        .array(z.string().check(z.regex(SLUG_PATTERN, 'Give a slug, or its beginning and `*`.')))
        .check(z.minLength(1), z.maxLength(20)),
      'The only deployments that it is for: slugs, or beginnings of some with `*`. Absent: all of yours.',
    ),
  ),
  /** Set for a machine's short-lived token: id of the trust that issued it. */
  trust: z.exactOptional(z.string()),
  createdAt: moment,
  expiresAt: moment,
  /** UTC day of the latest use. */
  usedOn: z.exactOptional(z.iso.date()),
});
export type PersonalToken = ValueOf<typeof PersonalToken>;

/** A listed token; its id is the fingerprint of the secret text. */
export interface StoredPersonalToken {
  readonly id: Fingerprint;
  readonly token: PersonalToken;
}

const FORM = /^hmt_([\w-]{43})([\da-f]{8})$/;

/** @param secret - 32 random bytes, base64url */
export const personalTokenText = (secret: string): string =>
  `${PERSONAL_TOKEN_PREFIX}${secret}${checksum(secret)}`;

export const isPersonalToken = (token: string): boolean => token.startsWith(PERSONAL_TOKEN_PREFIX);

/** Text of a machine's token: its checksum covers the storage id, which tells where to look the token up. */
export const machineTokenText = (secret: string): string =>
  `${PERSONAL_TOKEN_PREFIX}${secret}${checksum(machineTokenId(secret))}`;

/** Storage id of a machine's token; the authorization server may write only keys with this prefix. */
export type MachineTokenId = `machine-${Fingerprint}`;
export const machineTokenId = (secret: string): MachineTokenId => `machine-${fingerprint(secret)}`;

/** @returns storage id; undefined for a mistyped or truncated token, which thus costs no read */
export const idOfToken = (token: string): Fingerprint | MachineTokenId | undefined => {
  const [, secret = '', sum] = FORM.exec(token) ?? [];
  if (sum === undefined) return undefined;
  if (sum === checksum(secret)) return fingerprint(secret);
  const id = machineTokenId(secret);
  return sum === checksum(id) ? id : undefined;
};

export const MACHINE_TOKEN_SECONDS = 15 * MINUTE;

/**
 * Whether a stored token keeps the limits of its kind. A machine's token counts for 15 minutes at most and not before
 * its creation, whatever the record says: an attacker who could write records for a while gains nothing lasting.
 */
export const isOfItsKind = (
  id: Fingerprint | MachineTokenId,
  { createdAt, expiresAt, trust }: PersonalToken,
  now: EpochSeconds,
): boolean =>
  !id.startsWith('machine-') ||
  (trust !== undefined &&
    expiresAt - createdAt <= MACHINE_TOKEN_SECONDS &&
    createdAt <= now + MINUTE);

/** The checksum hashes another input than the storage id does, so it reveals no part of that. */
const checksum = (secret: string): string =>
  fingerprint(PERSONAL_TOKEN_PREFIX + secret).slice(0, 8);

export const isForSlug = ({ slugs }: Pick<PersonalToken, 'slugs'>, slug: string): boolean =>
  slugs === undefined ||
  slugs.some((one) => (one.endsWith('*') ? slug.startsWith(one.slice(0, -1)) : slug === one));
