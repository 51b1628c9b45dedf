import * as z from 'zod/mini';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { readSetting } from '../../platform/rules/setting.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';
import { domainOf } from './email.ts';

const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

export const SignUp = z.union(
  [
    z.enum(['open', 'closed']),
    z.strictObject({
      domains: z
        .array(z.string().check(z.regex(DOMAIN, 'write a domain in lower case')))
        .check(z.minLength(1, 'write at least one')),
    }),
  ],
  'write "open", "closed" or {"domains": ["company.example"]}',
);

/** Who may sign up without an operator: everybody, nobody, or addresses of some domains. */
export type SignUpPolicy = ValueOf<typeof SignUp>;

/** @throws Error whose message tells the operator what is wrong */
export const readSignUpPolicy = (text?: string): SignUpPolicy => readSetting(SignUp, text);

/** Refuses all sign-ups if `closed`; the policy is public. @throws ApiRefusal sign_up_closed */
export const checkSignUpIsOpen = (policy: SignUpPolicy): void => {
  if (policy !== 'closed') return;
  throw new ApiRefusal(
    'sign_up_closed',
    'Nobody can sign up here: ask the operator of this service for an account.',
  );
};

/**
 * Refuses addresses of other domains than the policy's. A subdomain counts as a domain of its own.
 * @param email - canonical
 * @throws ApiRefusal sign_up_closed
 */
export const checkMaySignUp = (policy: SignUpPolicy, email: string): void => {
  checkSignUpIsOpen(policy);
  if (typeof policy === 'string' || maySignUp(policy, email)) return;
  throw new ApiRefusal(
    'sign_up_closed',
    `Only addresses of these domains can sign up here: ${policy.domains.join(', ')}.`,
  );
};

/** @param email - canonical */
export const maySignUp = (policy: SignUpPolicy, email: string): boolean =>
  typeof policy === 'string' ? policy === 'open' : policy.domains.includes(domainOf(email));
