import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { PlatformSettings } from '../../platform/ports.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { isObject, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import { NoAnswer } from '../../target/rules/target.ts';
import type { IdentityPorts } from '../ports.ts';
import { assertionKeysOf, type IdentityProvider } from '../rules/providers.ts';
import { callbackOf, endpointsIn, signsIn } from '../rules/sign-in.ts';
import { fromMetadata } from './prepare-providers.ts';
import { codeIn, placeOf, type Provider, tokenRequest } from './token-endpoint.ts';

type CheckProviderPorts = Pick<
  IdentityPorts,
  'clock' | 'identityProviderRegister' | 'issuerKeys' | 'providerFetch' | 'providerSecrets' | 'web'
> & { readonly settings: Pick<PlatformSettings, 'baseUrl'> };

export interface ProviderCheck {
  readonly check: 'client_auth' | 'keys' | 'metadata' | 'scopes' | 'secret' | 'secret_ends';
  /** `unsure` where the answer is not conclusive, or somebody should act soon. */
  readonly outcome: 'good' | 'unsure' | 'wrong';
  readonly says: string;
}

export interface CheckedProvider {
  /** Redirect URI to register at the provider; absent if nobody signs in with it. */
  readonly redirectUri?: string;
  readonly checks: readonly ProviderCheck[];
}

/**
 * Checks whether an applied provider still matches its configuration and accepts our client secret. Signs nobody in and
 * changes nothing.
 * @throws ApiRefusal not_found
 * Source: docs/access.md, "Looking after a provider".
 */
export const checkProvider = async (
  ports: CheckProviderPorts,
  id: string,
): Promise<CheckedProvider> => {
  const { providers } = await ports.identityProviderRegister.find();
  const provider = providers.find((one) => one.id === id);
  if (!provider) throw new ApiRefusal('not_found', 'No provider of the list has this id.');
  if (!signsIn(provider)) return { checks: [await keysCheck(ports, provider)] };
  const [described, keys, secret] = await Promise.all([
    metadataChecks(ports, provider),
    keysCheck(ports, provider),
    secretCheck(ports, provider),
  ]);
  return {
    redirectUri: callbackOf(ports.settings.baseUrl, id),
    checks: [...described, keys, secret, ...endCheck(provider, ports.clock.now())],
  };
};

const checked = (
  check: ProviderCheck['check'],
  outcome: ProviderCheck['outcome'],
  says: string,
): ProviderCheck => ({ check, outcome, says });

const metadataChecks = async (
  ports: Pick<CheckProviderPorts, 'web'>,
  provider: Provider,
): Promise<readonly ProviderCheck[]> => {
  const { issuer, endpoints, sign_in: signIn } = provider;
  const said = await fromMetadata(ports, issuer, (document) => {
    const value = jsonOrUndefined(Buffer.from(document).toString('utf8'));
    const places = endpointsIn(document);
    if (!isObject(value) || !places) return { why: 'its metadata name no endpoints' };
    if (member(value, 'issuer') !== issuer) return { why: 'its metadata are of another issuer' };
    return { value: { value, places } };
  });
  if ('why' in said) return [checked('metadata', 'wrong', said.why)];
  const { value, places } = said.value;
  const moved = (['authorization_endpoint', 'token_endpoint'] as const).filter(
    (name) => places[name] !== endpoints[name],
  );
  return [
    moved.length === 0
      ? checked('metadata', 'good', 'they say what the list has')
      : checked('metadata', 'wrong', `another ${moved.join(' and ')}: apply the list again`),
    scopesCheck(textsIn(value, 'scopes_supported'), signIn.scopes),
    clientAuthCheck(textsIn(value, 'token_endpoint_auth_methods_supported'), signIn.client_auth),
  ];
};

const textsIn = (metadata: JsonObject, name: string): readonly string[] | undefined => {
  const list = member(metadata, name);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : undefined;
};

const scopesCheck = (
  supported: readonly string[] | undefined,
  scopes: readonly string[],
): ProviderCheck => {
  if (!supported) return checked('scopes', 'unsure', 'its metadata list no scopes');
  const others = scopes.filter((scope) => !supported.includes(scope));
  return others.length === 0
    ? checked('scopes', 'good', 'it knows all that are asked for')
    : checked('scopes', 'unsure', `not among its scopes_supported: ${others.join(', ')}`);
};

const METHODS: Readonly<Record<Provider['sign_in']['client_auth'], string>> = {
  basic: 'client_secret_basic',
  post: 'client_secret_post',
  none: 'none',
};

/** Source: OpenID Connect Discovery 1.0 §3, which defines the default for a missing list. */
const clientAuthCheck = (
  supported: readonly string[] = [METHODS.basic],
  used: Provider['sign_in']['client_auth'],
): ProviderCheck =>
  supported.includes(METHODS[used])
    ? checked('client_auth', 'good', `it takes ${used}`)
    : checked('client_auth', 'wrong', `it takes ${supported.join(', ')}, not ${METHODS[used]}`);

const keysCheck = async (
  { issuerKeys }: Pick<CheckProviderPorts, 'issuerKeys'>,
  provider: IdentityProvider,
): Promise<ProviderCheck> => {
  const places = new Set([
    ...(signsIn(provider) ? [provider.jwks_uri] : []),
    ...(provider.assertions ? [assertionKeysOf(provider)] : []),
  ]);
  try {
    const found = await Promise.all(
      [...places].map((place) => (place === undefined ? [] : issuerKeys.find(place, undefined))),
    );
    return found.every((keys) => keys.length > 0)
      ? checked('keys', 'good', `${found.flat().length} that may sign`)
      : checked('keys', 'wrong', 'none that may sign is published');
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return checked('keys', 'wrong', `they cannot be read: ${error.message}`);
  }
};

/** Values that no provider has issued. */
const NO_CODE = 'hosted-mcp-check';
const NO_SECRET = 'hosted-mcp-check-of-a-wrong-secret';
/** Errors about the client rather than the code. Source: RFC 6749 §5.2. */
const OF_THE_CLIENT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/** Sends an invalid code. Providers that check it first answer any secret alike, which a second, wrong one reveals. */
const secretCheck = async (
  ports: Pick<CheckProviderPorts, 'providerFetch' | 'providerSecrets' | 'settings'>,
  provider: Provider,
): Promise<ProviderCheck> => {
  if (provider.sign_in.client_auth === 'none') {
    return checked('secret', 'good', 'the client has none');
  }
  const secret = await ports.providerSecrets.find(placeOf(provider));
  if (secret === undefined) {
    return checked('secret', 'wrong', 'none is stored for this client and token endpoint');
  }
  const answer = await answerTo(ports, provider, secret);
  if (OF_THE_CLIENT.has(answer)) return checked('secret', 'wrong', `it answers ${answer}`);
  if (answer !== 'invalid_grant') return checked('secret', 'unsure', `it answers ${answer}`);
  return OF_THE_CLIENT.has(await answerTo(ports, provider, NO_SECRET))
    ? checked('secret', 'good', 'it is right')
    : checked('secret', 'unsure', 'not told: this provider looks at the code first');
};

/** @returns its error code, or a description where there is none */
const answerTo = async (
  { providerFetch, settings }: Pick<CheckProviderPorts, 'providerFetch' | 'settings'>,
  provider: Provider,
  secret: string,
): Promise<string> => {
  const parameters = {
    grant_type: 'authorization_code',
    code: NO_CODE,
    redirect_uri: callbackOf(settings.baseUrl, provider.id),
    code_verifier: NO_CODE.padEnd(43, '-'),
  };
  try {
    const response = await providerFetch(...tokenRequest(provider, secret, parameters));
    const json = jsonOrUndefined(await response.text());
    const sent = codeIn(isObject(json) ? json : undefined, 'error');
    if (sent !== undefined) return sent;
    return response.status === 401 ? 'invalid_client' : `${response.status} without an error`;
  } catch (error) {
    if (error instanceof NoAnswer) return `nothing (${error.reason})`;
    if (error instanceof Fault) return `nothing (${error.message})`;
    throw error;
  }
};

/** Days before the secret's end from which its renewal is due. */
const WARNED_DAYS = 30;

const endCheck = (
  { sign_in: { secret_ends: ends } }: Provider,
  now: EpochSeconds,
): readonly ProviderCheck[] => {
  if (ends === undefined) return [];
  const days = Math.ceil((Date.parse(ends) / 1000 - now) / DAY);
  if (days <= 0) return [checked('secret_ends', 'wrong', `it ended on ${ends}`)];
  return [checked('secret_ends', days <= WARNED_DAYS ? 'unsure' : 'good', `in ${days} days`)];
};
