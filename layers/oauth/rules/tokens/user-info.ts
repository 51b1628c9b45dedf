import type { Scope } from '../../../tokens/rules/oauth-records.ts';

/** Every account has a verified e-mail address. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name?: string;
}

/** Claims by the token's scopes. Source: OpenID Connect Core §5.3, §5.4; docs/decisions/oauth.md, "Userinfo". */
export const userInfo = (
  { id, email, name }: Person,
  scopes: readonly Scope[],
): Readonly<Record<string, unknown>> => ({
  sub: id,
  ...(scopes.includes('email') && { email, email_verified: true }),
  ...(scopes.includes('profile') && name !== undefined && { name }),
});
