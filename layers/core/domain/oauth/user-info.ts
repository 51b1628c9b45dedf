import type { Scope } from './records.ts';

/** What is told about a person. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name?: string;
}

/** The claims that a token's scopes open. Source: OpenID Connect Core §5.3, §5.4; D25. */
export const userInfo = (
  { id, email, emailVerified, name }: Person,
  scopes: readonly Scope[],
): Readonly<Record<string, unknown>> => ({
  sub: id,
  ...(scopes.includes('email') && { email, email_verified: emailVerified }),
  ...(scopes.includes('profile') && name !== undefined && { name }),
});
