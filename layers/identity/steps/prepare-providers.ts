import type { PlatformSettings } from '../../platform/ports.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { NoAnswer } from '../../target/rules/target.ts';
import { addressInMetadata, metadataUrls } from '../../tokens/rules/issuer-metadata.ts';
import type { IdentityPorts } from '../ports.ts';
import { type ProviderChange, providersDifference } from '../rules/difference.ts';
import {
  type IdentityProvider,
  readKnownProviders,
  readWrittenProviders,
  type WrittenProvider,
} from '../rules/providers.ts';
import { endpointsIn } from '../rules/sign-in.ts';

export type PrepareProvidersPorts = Pick<IdentityPorts, 'identityProviderRegister' | 'web'> & {
  readonly settings: Pick<PlatformSettings, 'baseUrl'>;
};

/** A list that can be applied, and what that would change. */
export interface PreparedProviders {
  readonly providers: readonly IdentityProvider[];
  /** Of the list that is applied now: it is applied to no other. */
  readonly revision: number;
  readonly changes: readonly ProviderChange[];
}

const LIMITS = { maxBytes: 64 * 1024, timeoutSeconds: 5 } as const;

/**
 * Reads a list of identity providers as an operator writes it, and what their metadata say of them. It changes nothing.
 *
 * @throws ApiRefusal invalid_request, with everything that is wrong
 *
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
    ...found.flatMap((one) => ('fault' in one ? [one.fault] : [])),
  ];
  if (faults.length > 0) throw unusable(faults);
  const known = readKnownProviders(found.map((one) => ('fault' in one ? undefined : one.provider)));
  if (known.faults) throw unusable(known.faults);
  const { providers, revision } = await ports.identityProviderRegister.find();
  const changes = providersDifference(providers, known.providers);
  return { providers: known.providers, revision, changes };
};

const unusable = (faults: readonly Finding[]) =>
  new ApiRefusal('invalid_request', 'The list of identity providers cannot be applied.', faults);

/** Our own host speaks for nobody. */
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

type Found =
  | { readonly provider: WrittenProvider & Pick<IdentityProvider, 'endpoints' | 'jwks_uri'> }
  | { readonly fault: Finding };

/** With what its metadata say of it: where its keys are, unless that is written, and where people sign in. */
const withMetadata = async (
  { web }: Pick<PrepareProvidersPorts, 'web'>,
  provider: WrittenProvider,
  index: number,
): Promise<Found> => {
  const { jwks_uri: written, issuer, sign_in: signIn } = provider;
  if (written !== undefined && !signIn) return { provider: { ...provider, jwks_uri: written } };
  const fault = (what: string): Found => ({
    fault: {
      where: `/${index}/issuer`,
      what,
      hint: signIn
        ? 'Write the issuer exactly as the provider has it.'
        : 'Write the issuer exactly as the provider has it, or say where its keys are in jwks_uri.',
    },
  });
  let said = 'nothing is at the addresses of its metadata';
  for (const url of metadataUrls(issuer)) {
    const answer = await web.fetchExactly(url, LIMITS).catch((error: unknown) => {
      if (error instanceof NoAnswer) return { status: 0, body: new Uint8Array(), error };
      throw error;
    });
    if ('error' in answer) said = `its metadata cannot be fetched (${answer.error.reason})`;
    if (answer.status !== 200) continue;
    const keys = addressInMetadata(answer.body, issuer, 'jwks_uri');
    if (keys === 'another_issuer') return fault('its metadata are of another issuer');
    const keysAt = written ?? (keys === 'unreadable' ? undefined : keys.address);
    const endpoints = signIn && endpointsIn(answer.body);
    if (keysAt === undefined) said = 'its metadata name no jwks_uri';
    else if (signIn && !endpoints) said = NO_ENDPOINTS;
    else return { provider: { ...provider, jwks_uri: keysAt, ...(endpoints && { endpoints }) } };
  }
  return fault(said);
};

const NO_ENDPOINTS = 'its metadata name no authorization_endpoint and token_endpoint with https';
