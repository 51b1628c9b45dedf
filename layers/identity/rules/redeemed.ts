import * as z from 'zod/mini';
import { FingerprintText } from '../../platform/rules/fingerprint.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';

const text = z.string();

/** Why nobody is signed in whom a provider has sent back. */
const FAILURES = [
  /** The provider does not answer, or is in trouble. */
  'unavailable',
  /** It takes our client, its secret or our address for none of its own: an operator has to look. */
  'misconfigured',
  /** What it says is not good: the code, or the token that it bought. */
  'refused',
] as const;
export type SignInFailure = (typeof FAILURES)[number];

/** Whom a provider has signed in. The token itself stays where it was read. */
export const Redeemed = z.object({
  ok: z.literal(true),
  subject: z.object({ issuer: text, claim: text, subject: FingerprintText }),
  /** An address that counts, canonical; or why none does. */
  vouched: z.union([z.strictObject({ email: text }), z.strictObject({ why: text })]),
  /** When they have shown who they are, in epoch seconds; absent where the provider does not say it. */
  auth_time: z.exactOptional(z.int()),
  /** The provider can be asked about them without them. */
  checkable: z.exactOptional(z.literal(true)),
});
export type Redeemed = ValueOf<typeof Redeemed>;

export const RedeemAnswer = z.discriminatedUnion('ok', [
  Redeemed,
  z.object({ ok: z.literal(false), reason: z.enum(FAILURES), why: text.check(z.maxLength(500)) }),
]);
export type RedeemAnswer = ValueOf<typeof RedeemAnswer>;

/** Characters, far more than any provider writes. */
export const MAX_CODE = 4096;

const secret = text.check(z.regex(/^[\w-]{43}$/));

/** What is asked to be redeemed, once. */
export const RedeemRequest = z.strictObject({
  provider: text.check(z.maxLength(32)),
  code: text.check(z.minLength(1), z.maxLength(MAX_CODE)),
  verifier: secret,
  nonce: secret,
});
export type RedeemRequest = ValueOf<typeof RedeemRequest>;

/** What is asked of a provider without the person. */
export const CheckRequest = z.strictObject({
  check: z.strictObject({ provider: text.check(z.maxLength(32)), subject: FingerprintText }),
});
export type CheckRequest = ValueOf<typeof CheckRequest>['check'];

/** What a provider says then. Source: docs/access.md, "When somebody leaves". */
export const CHECK_ANSWERS = [
  'vouched',
  /** It does not vouch for them any more, or wants them at its page. */
  'ended',
  /** It takes our client for none of its own: an operator has to look. */
  'misconfigured',
  /** It does not answer, or is in trouble. */
  'unavailable',
  /** Nothing is kept that it could be asked with. */
  'unknown',
] as const;

export const CheckAnswer = z.object({
  as: z.enum(CHECK_ANSWERS),
  why: text.check(z.maxLength(500)),
});
export type CheckAnswer = ValueOf<typeof CheckAnswer>;

/** Nobody is signed in. `why` is for the log: it holds nothing of code, secret or token. */
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
