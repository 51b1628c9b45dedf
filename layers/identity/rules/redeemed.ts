import * as z from 'zod/mini';
import { FingerprintText } from '../../platform/rules/fingerprint.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';

const text = z.string();

const FAILURES = [
  /** The provider does not answer, or with a server error. */
  'unavailable',
  /** The provider rejects our client id, secret or redirect URI: operators must correct the configuration. */
  'misconfigured',
  /** The provider rejects the code, or its token is invalid. */
  'refused',
] as const;
export type SignInFailure = (typeof FAILURES)[number];

/** The person that a provider has signed in; the ID token itself is not passed on. */
export const Redeemed = z.object({
  ok: z.literal(true),
  subject: z.object({ issuer: text, claim: text, subject: FingerprintText }),
  /** Canonical verified address, or why the provider's address does not count. */
  vouched: z.union([z.strictObject({ email: text }), z.strictObject({ why: text })]),
  /** Time of authentication in epoch seconds; absent if the provider does not send it. */
  auth_time: z.exactOptional(z.int()),
  /** A refresh token is stored, so the provider can be asked without the user. */
  checkable: z.exactOptional(z.literal(true)),
});
export type Redeemed = ValueOf<typeof Redeemed>;

export const RedeemAnswer = z.discriminatedUnion('ok', [
  Redeemed,
  z.object({ ok: z.literal(false), reason: z.enum(FAILURES), why: text.check(z.maxLength(500)) }),
]);
export type RedeemAnswer = ValueOf<typeof RedeemAnswer>;

/** Characters; far more than any provider uses. */
export const MAX_CODE = 4096;

const secret = text.check(z.regex(/^[\w-]{43}$/));

export const RedeemRequest = z.strictObject({
  provider: text.check(z.maxLength(32)),
  code: text.check(z.minLength(1), z.maxLength(MAX_CODE)),
  verifier: secret,
  nonce: secret,
});
export type RedeemRequest = ValueOf<typeof RedeemRequest>;

/** Asks whether a provider still vouches for a person, without that person. */
export const CheckRequest = z.strictObject({
  check: z.strictObject({ provider: text.check(z.maxLength(32)), subject: FingerprintText }),
});
export type CheckRequest = ValueOf<typeof CheckRequest>['check'];

/** Source: docs/access.md, "When somebody leaves". */
export const CHECK_ANSWERS = [
  'vouched',
  /** The provider no longer vouches for the person, or requires an interactive sign-in. */
  'ended',
  /** The provider rejects our client: operators must correct the configuration. */
  'misconfigured',
  /** The provider does not answer, or with a server error. */
  'unavailable',
  /** No refresh token is stored to ask the provider with. */
  'unknown',
] as const;

export const CheckAnswer = z.object({
  as: z.enum(CHECK_ANSWERS),
  why: text.check(z.maxLength(500)),
});
export type CheckAnswer = ValueOf<typeof CheckAnswer>;

/** The sign-in failed. `why` is for the log, without code, secret or token. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  readonly reason: SignInFailure;
  readonly why: string;

  constructor(reason: SignInFailure, why: string) {
    super(`${reason}: ${why}`);
    this.reason = reason;
    this.why = why;
  }
}
