import { createHash } from 'node:crypto';
import { type SentParameters } from '../../platform/rules/sent-parameters.ts';
import { callbackOf, type Endpoints, type SignIn } from './sign-in.ts';

/** Nonce and PKCE verifier derive from this cookie, so that only the browser that began can finish the sign-in. */
export const cookieValueOf = (secret: string, next: string): string =>
  `${secret}.${Buffer.from(next).toString('base64url')}`;

export const nextOf = (cookieValue: string): string =>
  Buffer.from(cookieValue.slice(cookieValue.indexOf('.') + 1), 'base64url').toString();

export const nonceOf = (cookieValue: string): string => derived('nonce', cookieValue);
export const verifierOf = (cookieValue: string): string => derived('verifier', cookieValue);

const derived = (what: string, cookieValue: string): string =>
  createHash('sha256').update(`${what} ${cookieValue}`).digest('base64url');

export interface Asking {
  /** Maximum age of the authentication in seconds; absent: any. */
  readonly maxAgeSeconds?: number;
  /** `prompt` values: authenticate now, choose the account, or both. */
  readonly prompts?: readonly ('login' | 'select_account')[];
}

/** Combines requirements; the strictest of each wins. */
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
  /** Address as typed, sent as `login_hint`. */
  readonly email: string;
  readonly asking: Asking;
}

/** Source: OpenID Connect Core 1.0 §3.1.2.1; RFC 7636 §4.3. */
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

export interface Returned {
  readonly code: string | undefined;
  /** Error code, or a note that it has an invalid form. */
  readonly error: string | undefined;
  readonly iss: string | undefined;
}

/** @returns undefined if a parameter was sent twice, since it is ambiguous which counts */
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
 * Whether an answer can be from the provider that was asked (mix-up defence): `iss`, if present, must be its issuer,
 * and must be present if the provider's metadata promises it.
 * Source: RFC 9207 §2.4; RFC 9700 §4.4.
 */
export const isFrom = (
  { issuer, endpoints }: { readonly issuer: string; readonly endpoints: Endpoints },
  iss: string | undefined,
): boolean =>
  iss === undefined ? !endpoints.authorization_response_iss_parameter_supported : iss === issuer;
