import * as z from 'zod/mini';
import { described, line, type ValueOf } from '../../platform/rules/shape.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import { PERSONAL_TOKEN_PREFIX, SCOPE_TEXTS, TOKEN_SCOPES } from './token-scopes.ts';

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

const PREFIX = PERSONAL_TOKEN_PREFIX;
const FORM = /^hmt_([\w-]{43})([\da-f]{8})$/;

/** @param secret - 32 random bytes, base64url */
export const personalTokenText = (secret: string): string =>
  `${PREFIX}${secret}${checksum(secret)}`;

export const isPersonalToken = (token: string): boolean => token.startsWith(PREFIX);

/** The same for a machine: what tells it apart is its checksum, so that it is looked for in one place alone. */
export const machineTokenText = (secret: string): string =>
  `${PREFIX}${secret}${checksum(machineTokenId(secret))}`;

/**
 * What the token of a machine is stored by: the authorization server, which gives it, writes keys of this beginning, and
 * none of a token that a person made.
 */
export type MachineTokenId = `machine-${Fingerprint}`;
export const machineTokenId = (secret: string): MachineTokenId => `machine-${fingerprint(secret)}`;

/** @returns what it is stored by; undefined for what is mistyped or cut, which costs no look into the store */
export const idOfToken = (token: string): Fingerprint | MachineTokenId | undefined => {
  const [, secret = '', sum] = FORM.exec(token) ?? [];
  if (sum === undefined) return undefined;
  if (sum === checksum(secret)) return fingerprint(secret);
  const id = machineTokenId(secret);
  return sum === checksum(id) ? id : undefined;
};

export const MACHINE_TOKEN_SECONDS = 15 * MINUTE;

/**
 * Whether a token holds as long as one of its kind may. That of a machine is believed for a quarter of an hour and not
 * before its time, whatever is stored: who could write some for a while has nothing that lasts.
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

/** Another hash than the one that it is stored by. */
const checksum = (secret: string): string => fingerprint(PREFIX + secret).slice(0, 8);

export const isForSlug = ({ slugs }: Pick<PersonalToken, 'slugs'>, slug: string): boolean =>
  slugs === undefined ||
  slugs.some((one) => (one.endsWith('*') ? slug.startsWith(one.slice(0, -1)) : slug === one));
