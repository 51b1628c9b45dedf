import * as z from 'zod/mini';
import { domainOf } from '../../accounts/rules/email.ts';
import type { CompanyTerms } from '../../accounts/rules/standing.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';
import { DAY, HOUR, MINUTE } from '../../platform/rules/time.ts';
import { authorizationServer } from '../../platform/rules/addresses.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { address, list, text } from './members.ts';

/** Client authentication at the token endpoint. Source: OpenID Connect Core 1.0 §9. */
const CLIENT_AUTH = ['basic', 'post', 'none'] as const;

/** Without `auth_time`, a command-line sign-in is recent after `prompt=login` (`required`), or not at all (`never`). */
const FRESH = ['required', 'never'] as const;

/** Source: RFC 6749 §3.3, scope-token. */
const scope = z
  .string('write a scope')
  .check(z.regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/, 'write one scope, without spaces or quotes'));

/** Parameters that requests set themselves, or that could replace these; operators may add others. */
const OF_THE_FLOW: ReadonlySet<string> = new Set([
  'claims',
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
]);
const MAX_PARAMETERS = 5;
const PARAMETER = /^[a-z][a-z0-9_.-]{0,63}$/;

const authorize = z
  .record(z.string(), text(200), 'write an object with parameters and their values')
  .check(
    z.refine(
      (parameters) => Object.keys(parameters).length <= MAX_PARAMETERS,
      `write at most ${MAX_PARAMETERS} parameters`,
    ),
    z.refine(
      (parameters) => Object.keys(parameters).every((name) => PARAMETER.test(name)),
      'write names of parameters in lower case, such as access_type',
    ),
    z.refine(
      (parameters) => Object.keys(parameters).every((name) => !OF_THE_FLOW.has(name)),
      `leave out what each request sets itself: ${[...OF_THE_FLOW].join(', ')}`,
    ),
    z.refine(
      (parameters) =>
        Object.entries(parameters).every(
          ([name, value]) => name !== 'prompt' || value === 'consent',
        ),
      'prompt may be consent, and nothing else',
    ),
  );

const isDay = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

const wholeNumber = (least: number, most: number) => {
  const what = `write a whole number from ${least} to ${most}`;
  return z.exactOptional(z.int(what).check(z.minimum(least, what), z.maximum(most, what)));
};

const members = {
  client_id: text(256),
  client_auth: z._default(z.enum(CLIENT_AUTH, `write one of ${CLIENT_AUTH.join(', ')}`), 'basic'),
  scopes: z._default(
    list(scope, 'scopes').check(
      z.refine((scopes) => scopes.includes('openid'), 'openid has to be among the scopes'),
    ),
    ['openid', 'email'],
  ),
  authorize: z.exactOptional(authorize),
  secret_ends: z.exactOptional(
    z.string('write a day').check(z.refine(isDay, 'write a day, such as 2027-11-30')),
  ),
  recheck_seconds: wholeNumber(5 * MINUTE, DAY),
  grace_seconds: wholeNumber(0, DAY),
  reauthenticate_hours: wholeNumber(1, 90 * 24),
  broker: z.exactOptional(z.boolean('write true or false')),
  fresh: z.exactOptional(z.enum(FRESH, `write one of ${FRESH.join(', ')}`)),
};

export const SIGN_IN_MEMBERS = `an object with ${Object.keys(members).join(', ')}`;

/** How a provider signs people in. Source: docs/access.md, "Sign-in with a company". */
export const SignIn = z.strictObject(members, `write ${SIGN_IN_MEMBERS}`);
export type SignIn = ValueOf<typeof SignIn>;

/** Endpoints from a provider's metadata. Source: OpenID Connect Discovery 1.0 §3; RFC 9207 §3. */
export const Endpoints = z.strictObject(
  {
    authorization_endpoint: address,
    token_endpoint: address,
    userinfo_endpoint: z.exactOptional(address),
    /** Whether every authorization response includes `iss`, so that one without it is forged. */
    authorization_response_iss_parameter_supported: z._default(z.boolean(), false),
  },
  'write an object with the endpoints of the provider',
);
export type Endpoints = ValueOf<typeof Endpoints>;

const Metadata = z.object({ ...Endpoints.shape, userinfo_endpoint: z.optional(z.unknown()) });

/** @returns undefined for metadata without usable endpoints */
export const endpointsIn = (document: Uint8Array): Endpoints | undefined => {
  const read = z.safeParse(Metadata, jsonOrUndefined(Buffer.from(document).toString('utf8')));
  if (!read.success) return undefined;
  const { userinfo_endpoint: said, ...endpoints } = read.data;
  const userInfo = z.safeParse(address, said);
  return { ...endpoints, ...(userInfo.success && { userinfo_endpoint: userInfo.data }) };
};

/** Hours that a sign-in counts where the provider cannot be asked: maximum for brokers, and default. */
const MOST_UNASKED = 24;
const USUAL_UNASKED = 12;

/** How long a provider's statements count. Source: docs/access.md, "When somebody leaves". */
export const companyTermsOf = ({
  issuer,
  name,
  sign_in: {
    recheck_seconds: recheckSeconds = HOUR,
    grace_seconds: graceSeconds = 4 * HOUR,
    reauthenticate_hours: said,
    broker = false,
  },
}: {
  readonly issuer: string;
  readonly name: string;
  readonly sign_in: SignIn;
}): CompanyTerms => ({
  issuer,
  name,
  recheckSeconds,
  graceSeconds,
  reauthenticateSeconds: (said ?? 7 * 24) * HOUR,
  unaskedSeconds: Math.min(said ?? USUAL_UNASKED, broker ? MOST_UNASKED : USUAL_UNASKED) * HOUR,
  broker,
});

interface Written {
  readonly issuer: string;
  readonly assertions?: { readonly tenant?: string | undefined } | undefined;
  readonly sign_in?: SignIn | undefined;
}

interface SignInFault {
  readonly path: readonly PropertyKey[];
  readonly what: string;
}

/** Faults that involve other members of the provider. */
export const signInFaults = ({
  issuer,
  assertions,
  sign_in: signIn,
}: Written): readonly SignInFault[] => {
  const faults: SignInFault[] = [];
  if (signIn?.client_auth === 'none' && issuer.startsWith('https:')) {
    faults.push({
      path: ['sign_in', 'client_auth'],
      what: "write basic or post: a client without a secret is for providers on one's own machine",
    });
  }
  // ID tokens name no tenant: one person would get two subjects, and every tenant of the issuer could sign in.
  if (signIn && assertions?.tenant !== undefined) {
    faults.push({
      path: ['assertions', 'tenant'],
      what: 'leave it out where people sign in, and write the issuer of your tenant',
    });
  }
  if (signIn?.broker && (signIn.reauthenticate_hours ?? 0) > MOST_UNASKED) {
    faults.push({
      path: ['sign_in', 'reauthenticate_hours'],
      what: `write at most ${MOST_UNASKED} for a broker: nothing else lets people go who leave`,
    });
  }
  return faults;
};

interface Provider extends Written {
  readonly email_domains: readonly string[];
  readonly passwords?: 'refused' | undefined;
  readonly exceptions?: readonly string[] | undefined;
  readonly endpoints?: Endpoints | undefined;
}

export const passwordFaults = ({
  email_domains: domains,
  exceptions = [],
  passwords,
  sign_in: signIn,
}: Omit<Provider, 'endpoints'>): readonly SignInFault[] => {
  if (passwords === undefined) {
    const what = 'leave them out where passwords are not refused: everybody has one there';
    return exceptions.length > 0 ? [{ path: ['exceptions'], what }] : [];
  }
  if (!signIn) {
    const what = 'write sign_in, too: without it the people of these domains would have no way in';
    return [{ path: ['passwords'], what }];
  }
  return [...exceptions.entries()]
    .filter(([, email]) => !domains.includes(domainOf(email)))
    .map(([index]) => ({
      path: ['exceptions', index],
      what: 'write addresses of email_domains: passwords of others are not refused',
    }));
};

export type SignInProvider<One extends Provider> = One & {
  readonly sign_in: SignIn;
  readonly endpoints: Endpoints;
};

export const signsIn = <One extends Provider>(provider: One): provider is SignInProvider<One> =>
  provider.sign_in !== undefined && provider.endpoints !== undefined;

export const termsOfCompanies = (
  providers: readonly (Provider & { readonly issuer: string; readonly name: string })[],
): readonly CompanyTerms[] => providers.filter(signsIn).map(companyTermsOf);

/** Redirect URI, one per provider to prevent mix-up attacks. Source: RFC 9700 §4.4. */
export const callbackOf = (baseUrl: string, id: string): string =>
  `${authorizationServer(baseUrl)}/sign-in/${id}/callback`;

/** Provider that signs in this address; only the domain counts. */
export const providerOfAddress = <One extends Provider>(
  providers: readonly One[],
  email: string,
): SignInProvider<One> | undefined => {
  const domain = domainOf(email);
  return providers.filter(signsIn).find((one) => one.email_domains.includes(domain));
};
