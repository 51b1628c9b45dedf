import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Who may make an account without an operator: everybody, nobody, or who has an address of some domains. */
export type SignUpPolicy = 'open' | 'closed' | { readonly domains: readonly string[] };

const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * @param text - `open`, `closed`, or a JSON object such as `{"domains": ["example.com"]}`
 * @throws Error that says what is wrong, in words for the operator
 */
export const readSignUpPolicy = (text: string | undefined): SignUpPolicy => {
  if (text === 'open' || text === 'closed') return text;
  const domains = domainsIn(text ?? '');
  if (domains) return { domains };
  throw new Error('it must be open, closed or {"domains": ["example.com"]}, in lower case');
};

const domainsIn = (text: string): readonly string[] | undefined => {
  try {
    const { domains } = parsedJson(text) as { readonly domains?: unknown };
    const isList = Array.isArray(domains) && domains.length > 0;
    return isList && domains.every(isDomain) ? domains : undefined;
  } catch {
    return undefined;
  }
};

const isDomain = (one: unknown): one is string => typeof one === 'string' && DOMAIN.test(one);

/**
 * That somebody may sign up here. Who may is public, so that the answer may say it.
 *
 * @throws ApiRefusal sign_up_closed
 */
export const checkSignUpIsOpen = (policy: SignUpPolicy): void => {
  if (policy !== 'closed') return;
  throw new ApiRefusal(
    'sign_up_closed',
    'Nobody can sign up here: ask the operator of this service for an account.',
  );
};

/**
 * That an address may. Subdomains are domains of their own.
 *
 * @param email - canonical
 * @throws ApiRefusal sign_up_closed
 */
export const checkMaySignUp = (policy: SignUpPolicy, email: string): void => {
  checkSignUpIsOpen(policy);
  if (typeof policy === 'string') return;
  if (policy.domains.includes(email.slice(email.lastIndexOf('@') + 1))) return;
  throw new ApiRefusal(
    'sign_up_closed',
    `Only addresses of these domains can sign up here: ${policy.domains.join(', ')}.`,
  );
};
