import { createHash } from 'node:crypto';
import { type SentParameters } from '../../platform/rules/sent-parameters.ts';
import { callbackOf, type Endpoints, type SignIn } from './sign-in.ts';

/**
 * What a browser keeps of a sign-in that is under way: a secret, and where it goes on. Nonce and verifier are made of it,
 * so that only this browser can finish what it began, and nothing stored helps anybody.
 */
export const cookieValueOf = (secret: string, next: string): string =>
  `${secret}.${Buffer.from(next).toString('base64url')}`;

export const nextOf = (cookieValue: string): string =>
  Buffer.from(cookieValue.slice(cookieValue.indexOf('.') + 1), 'base64url').toString();

export const nonceOf = (cookieValue: string): string => derived('nonce', cookieValue);
export const verifierOf = (cookieValue: string): string => derived('verifier', cookieValue);

const derived = (what: string, cookieValue: string): string =>
  createHash('sha256').update(`${what} ${cookieValue}`).digest('base64url');

/** What the provider is asked to make sure of. */
export interface Asking {
  /** How long ago somebody may have shown who they are, in seconds; absent: any time. */
  readonly maxAgeSeconds?: number;
  /** That they show it now, that they choose who they are, or both. */
  readonly prompts?: readonly ('login' | 'select_account')[];
}

/** All that several want made sure of: none of them loosens what another wants. */
export const joined = (...wanted: readonly Asking[]): Asking => {
  const ages = wanted.flatMap(({ maxAgeSeconds }) => maxAgeSeconds ?? []);
  const prompts = new Set(wanted.flatMap((one) => one.prompts ?? []));
  return {
    ...(ages.length > 0 && { maxAgeSeconds: Math.min(...ages) }),
    ...(prompts.size > 0 && { prompts: [...prompts] }),
  };
};

interface Request {
  readonly baseUrl: string;
  readonly state: string;
  readonly cookieValue: string;
  /** As it was typed, for the provider to show. */
  readonly email: string;
  readonly asking: Asking;
}

/**
 * Where a browser is sent to sign in.
 *
 * Source: OpenID Connect Core 1.0 §3.1.2.1; RFC 7636 §4.3.
 */
export const authorizationUrl = (
  {
    id,
    sign_in: signIn,
    endpoints,
  }: { readonly id: string; readonly sign_in: SignIn; readonly endpoints: Endpoints },
  { baseUrl, state, cookieValue, email, asking: { maxAgeSeconds, prompts } }: Request,
): string => {
  const url = new URL(endpoints.authorization_endpoint);
  const parameters = {
    ...signIn.authorize,
    response_type: 'code',
    client_id: signIn.client_id,
    redirect_uri: callbackOf(baseUrl, id),
    scope: signIn.scopes.join(' '),
    state,
    nonce: nonceOf(cookieValue),
    code_challenge: createHash('sha256').update(verifierOf(cookieValue)).digest('base64url'),
    code_challenge_method: 'S256',
    ...(email !== '' && { login_hint: email }),
    ...(maxAgeSeconds !== undefined && { max_age: String(maxAgeSeconds) }),
    ...(prompts && {
      prompt: [signIn.authorize?.['prompt'], ...prompts].filter(Boolean).join(' '),
    }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** What a provider sends back with a browser. */
export interface Returned {
  readonly code: string | undefined;
  /** Its code of an error, or that it is none. */
  readonly error: string | undefined;
  readonly iss: string | undefined;
}

/** @returns undefined where a parameter was sent twice: nobody knows which of them counts */
export const readReturned = (sent: SentParameters): Returned | undefined => {
  const one = (name: string): string | undefined => {
    const [value] = sent.get(name) ?? [];
    return typeof value === 'string' ? value : undefined;
  };
  const names = ['code', 'error', 'iss', 'state'];
  if (names.some((name) => (sent.get(name)?.length ?? 0) > 1)) return undefined;
  const error = one('error');
  return {
    code: one('code'),
    error: error === undefined || /^[a-z_]{1,64}$/.test(error) ? error : 'an unreadable error',
    iss: one('iss'),
  };
};

/**
 * Whether an answer may be of the provider that was asked: one that names the issuer has to name this one, and one of a
 * provider that says it always does may not be without.
 *
 * Source: RFC 9207 §2.4; RFC 9700 §4.4.
 */
export const isFrom = (
  { issuer, endpoints }: { readonly issuer: string; readonly endpoints: Endpoints },
  iss: string | undefined,
): boolean =>
  iss === undefined ? !endpoints.authorization_response_iss_parameter_supported : iss === issuer;
