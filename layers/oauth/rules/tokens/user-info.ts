import type { Scope } from '../../../tokens/rules/oauth-records.ts';

/** A person as userinfo describes one; everybody who has an account has proven the address. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name?: string;
}

/**
 * The claims that a token's scopes open.
 * Source: OpenID Connect Core §5.3, §5.4; docs/decisions/oauth.md, "Userinfo".
 */
export const userInfo = (
  { id, email, name }: Person,
  scopes: readonly Scope[],
): Readonly<Record<string, unknown>> => ({
  sub: id,
  ...(scopes.includes('email') && { email, email_verified: true }),
  ...(scopes.includes('profile') && name !== undefined && { name }),
});
