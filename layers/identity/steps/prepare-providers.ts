import type { PlatformSettings } from '../../platform/ports.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { NoAnswer } from '../../target/rules/target.ts';
import { addressInMetadata, metadataUrls } from '../../tokens/rules/issuer-metadata.ts';
import type { IdentityPorts } from '../ports.ts';
import { type ProviderChange, providersDifference } from '../rules/difference.ts';
import {
  assertionIssuer,
  hasOwnAssertionKeys,
  type IdentityProvider,
  readKnownProviders,
  readWrittenProviders,
  type WrittenProvider,
} from '../rules/providers.ts';
import type { Believed } from '../rules/password-terms.ts';
import { domainOf } from '../../accounts/rules/email.ts';
import { endpointsIn, signsIn } from '../rules/sign-in.ts';
import { accountsOf } from './passwords.ts';

type PrepareProvidersPorts = Pick<
  IdentityPorts,
  'identityProviderRegister' | 'registrableDomains' | 'users' | 'web'
> & {
  readonly settings: Pick<PlatformSettings, 'baseUrl'>;
};

export interface PreparedProviders {
  readonly providers: readonly IdentityProvider[];
  /** Revision that it replaces; it applies to no other. */
  readonly revision: number;
  readonly changes: readonly ProviderChange[];
}

const LIMITS = { maxBytes: 64 * 1024, timeoutSeconds: 5 } as const;

/**
 * Validates a list of identity providers that an operator wrote and reads their metadata. Changes nothing.
 * @throws ApiRefusal invalid_request, with all faults
 * Source: OpenID Connect Discovery 1.0 §4; docs/access.md, "Identity providers".
 */
export const prepareProviders = async (
  ports: PrepareProvidersPorts,
  written: unknown,
): Promise<PreparedProviders> => {
  const read = readWrittenProviders(written);
  if (read.faults) throw unusable(read.faults);
  const found = await Promise.all(
    read.providers.map((provider, index) => withMetadata(ports, provider, index)),
  );
  const faults = [
    ...ofOurOwn(ports.settings.baseUrl, read.providers),
    ...(await ofEverybody(ports, read.providers)),
    ...found.flatMap((one) => ('fault' in one ? [one.fault] : [])),
  ];
  if (faults.length > 0) throw unusable(faults);
  const known = readKnownProviders(found.map((one) => ('fault' in one ? undefined : one.provider)));
  if (known.faults) throw unusable(known.faults);
  const { providers, revision, ...believed } = await ports.identityProviderRegister.find();
  const lockedOut = await lockedOutBy(ports, known.providers, believed);
  if (lockedOut.length > 0) throw unusable(lockedOut);
  const changes = providersDifference(providers, known.providers);
  return { providers: known.providers, revision, changes };
};

const unusable = (faults: readonly Finding[]) =>
  new ApiRefusal('invalid_request', 'The list of identity providers cannot be applied.', faults);

/** No provider may claim the service's own host as an e-mail domain. */
const ofOurOwn = (baseUrl: string, providers: readonly WrittenProvider[]): readonly Finding[] => {
  const { hostname } = new URL(baseUrl);
  return providers.flatMap(({ email_domains: domains }, index) =>
    domains.flatMap((domain, place) =>
      domain === hostname
        ? [
            {
              where: `/${index}/email_domains/${place}`,
              what: 'this is the host of the service itself',
              hint: 'Write domains of the company alone.',
            },
          ]
        : [],
    ),
  );
};

/** Public suffixes, below which anybody can register a domain: a provider must not speak for strangers. */
const ofEverybody = async (
  { registrableDomains }: Pick<PrepareProvidersPorts, 'registrableDomains'>,
  providers: readonly WrittenProvider[],
): Promise<readonly Finding[]> => {
  const places = providers.flatMap(({ email_domains: domains }, index) =>
    domains.map((domain, place) => ({ domain, where: `/${index}/email_domains/${place}` })),
  );
  const found = await Promise.all(
    places.map(async ({ domain, where }) => ({
      where,
      isSuffix: (await registrableDomains.of(domain)) === undefined,
    })),
  );
  return found
    .filter(({ isSuffix }) => isSuffix)
    .map(({ where }) => ({
      where,
      what: 'below this domain anybody may register one (publicsuffix.org)',
      hint: 'Write the domains that the company has registered.',
    }));
};

/** Refuses lists with which nobody could sign in, or a company could sign in to a break-glass account. */
const lockedOutBy = async (
  ports: Pick<PrepareProvidersPorts, 'users'>,
  providers: readonly IdentityProvider[],
  { breakGlass, passwords }: Omit<Believed, 'providers'>,
): Promise<readonly Finding[]> => {
  const kept = new Set((await accountsOf(ports, breakGlass)).map(({ email }) => domainOf(email)));
  return [
    ...(passwords === 'off' && !providers.some(signsIn)
      ? [
          {
            where: '',
            what: 'passwords are off, and no provider of this list signs anybody in',
            hint: 'Leave a provider with sign_in in it, or have passwords on first: hosted-mcp admin passwords on.',
          },
        ]
      : []),
    ...providers.flatMap(({ email_domains: domains }, index) =>
      [...domains.entries()]
        .filter(([, domain]) => kept.has(domain))
        .map(([place, domain]) => ({
          where: `/${index}/email_domains/${place}`,
          what: `an account that is kept for emergencies has an address of ${domain}`,
          hint: 'Keep one of another domain: hosted-mcp admin break-glass EMAIL, and --end for the former.',
        })),
    ),
  ];
};

type Found = { readonly provider: unknown } | { readonly fault: Finding };

/** Adds the JWKS URI, unless the operator wrote it, and the endpoints for sign-in from the provider's metadata. */
const withMetadata = async (
  ports: Pick<PrepareProvidersPorts, 'web'>,
  provider: WrittenProvider,
  index: number,
): Promise<Found> => {
  const [places, keys] = await Promise.all([
    placesOf(ports, provider),
    assertionKeys(ports, provider),
  ]);
  const fault = (member: string, what: string, instead: string): Found => ({
    fault: {
      where: `/${index}/${member}`,
      what,
      hint: `Write the issuer exactly as the provider has it${instead}.`,
    },
  });
  if ('why' in places) {
    const instead = provider.sign_in ? '' : ', or say where its keys are in jwks_uri';
    return fault('issuer', places.why, instead);
  }
  if ('why' in keys) {
    const instead = ', or say where its keys are in jwks_uri beside it';
    return fault('assertions/issuer', keys.why, instead);
  }
  const assertions = { ...provider.assertions, ...keys.value };
  return {
    provider: { ...provider, ...places.value, ...(provider.assertions && { assertions }) },
  };
};

type Said<Value> = { readonly value: Value } | { readonly why: string };

const placesOf = (
  ports: Pick<PrepareProvidersPorts, 'web'>,
  { jwks_uri: written, issuer, sign_in: signIn }: WrittenProvider,
): Promise<Said<Pick<IdentityProvider, 'endpoints' | 'jwks_uri'>>> => {
  if (written !== undefined && !signIn) return Promise.resolve({ value: { jwks_uri: written } });
  return fromMetadata(ports, issuer, (document) => {
    const keys = keysIn(document, issuer, written);
    if ('why' in keys || !signIn) return keys;
    const endpoints = endpointsIn(document);
    return endpoints ? { value: { ...keys.value, endpoints } } : { why: NO_ENDPOINTS };
  });
};

/** JWKS URI for assertions, if another issuer signs them. */
const assertionKeys = (
  ports: Pick<PrepareProvidersPorts, 'web'>,
  provider: WrittenProvider,
): Promise<Said<{ readonly jwks_uri?: string }>> => {
  const issuer = assertionIssuer(provider);
  if (!hasOwnAssertionKeys(provider) || provider.assertions?.jwks_uri !== undefined) {
    return Promise.resolve({ value: {} });
  }
  return fromMetadata(ports, issuer, (document) => keysIn(document, issuer));
};

const NO_ENDPOINTS = 'its metadata name no authorization_endpoint and token_endpoint with https';

/** @param written - JWKS URI from the operator, which takes precedence */
const keysIn = (
  document: Uint8Array,
  issuer: string,
  written?: string,
): Said<{ readonly jwks_uri: string }> => {
  const said = addressInMetadata(document, issuer, 'jwks_uri');
  if (said === 'another_issuer') return { why: 'its metadata are of another issuer' };
  const found = written ?? (said === 'unreadable' ? undefined : said.address);
  return found === undefined
    ? { why: 'its metadata name no jwks_uri' }
    : { value: { jwks_uri: found } };
};

/** Result from the first metadata document of an issuer that yields one, or why none does. */
export const fromMetadata = async <Value>(
  { web }: Pick<PrepareProvidersPorts, 'web'>,
  issuer: string,
  read: (document: Uint8Array) => Said<Value>,
): Promise<Said<Value>> => {
  let why = 'nothing is at the addresses of its metadata';
  for (const url of metadataUrls(issuer)) {
    const answer = await web.fetchExactly(url, LIMITS).catch((error: unknown) => {
      if (error instanceof NoAnswer) return { status: 0, body: new Uint8Array(), error };
      throw error;
    });
    if ('error' in answer) why = `its metadata cannot be fetched (${answer.error.reason})`;
    if (answer.status !== 200) continue;
    const found = read(answer.body);
    if ('value' in found) return found;
    ({ why } = found);
  }
  return { why };
};
