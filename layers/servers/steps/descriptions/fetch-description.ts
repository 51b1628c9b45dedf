import { sealingOf } from '../../../credentials/rules/deployment-credential.ts';
import { originOf } from '../../../platform/rules/origin.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { NO_ANSWER_CAUSES } from '../../../target/rules/no-answer-causes.ts';
import { NoAnswer, type TargetAnswer, type Trust, trustOf } from '../../../target/rules/target.ts';
import { isPerCaller } from '../../../connections/rules/token-source.ts';
import { isConnectedKind } from '../../../target/rules/credential.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { ServersPorts } from '../../ports.ts';
import type { TargetSettings } from '../../../target/ports.ts';
import type { DescriptionFetches } from '../../store/function-requests.ts';
import type { FetchPermission, FetchTerms } from '../../rules/fetch-terms.ts';
import { networkFor, nextNetwork } from '../../rules/networks.ts';
import type { DeploymentChoices } from '../../rules/next-deployment.ts';
import { countWork, type CountWorkPorts } from '../../../limits/steps/count-work.ts';
import {
  type FetchedChanges,
  MAX_BYTES,
  type PublicationChanges,
} from '../../../deployments/rules/publication.ts';
import {
  descriptionText,
  descriptionTooLarge,
  type Encoding,
} from '../../../openapi/intake/parse.ts';

export type FetchDescriptionPorts = Pick<ServersPorts, 'descriptionFetches' | 'web'> & {
  readonly settings: LimitsSettings & TargetSettings;
};

/** Identity, network, CA certificates and credential of the deployment that a description is fetched for. */
export type FetchedFor = Pick<Deployment, 'credential' | 'id' | 'ownerId' | 'slug'> &
  Partial<
    Pick<Deployment, 'certificateAuthorities' | 'credentials' | 'fetchWith' | 'sealedFor'>
  > & {
    readonly network?: string | undefined;
    readonly stored?: Deployment | undefined;
  };

export const fetchedForNext = (before: Deployment, next: Deployment): FetchedFor => ({
  ...next,
  stored: before,
});

export const fetchedForNew = (
  identity: Pick<Deployment, 'id' | 'ownerId' | 'slug'>,
  choices: Pick<DeploymentChoices, 'certificateAuthorities' | 'network'>,
): FetchedFor => {
  const { certificateAuthorities } = choices;
  return {
    ...identity,
    network: nextNetwork(undefined, choices),
    ...(certificateAuthorities && { certificateAuthorities }),
  };
};

/** Address of a description, and headers for fetching it, which are not stored. */
export interface DescriptionAddress {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReceivedDescription {
  readonly sent: string | Uint8Array;
  readonly mediaType?: string;
  /** Encoding of a text that was received as bytes. */
  readonly encoding?: Encoding;
}

export type DescriptionSource = ReceivedDescription | DescriptionAddress;

export const isUrlSource = (source: DescriptionSource): source is DescriptionAddress =>
  'url' in source;

/** Reserve for reading, compiling and storing the largest description. */
const COMPILE_SECONDS = 8;

/** `fuller` is what the address serves to callers with the credential, if that differs. */
export interface FetchedDescription extends ReceivedDescription {
  readonly sent: Uint8Array;
  readonly fuller?: Uint8Array;
}

/**
 * Fetches a description: with headers that go to its origin alone, with the deployment's credential if its owner chose
 * that and the origin is one of the credential's, or with nothing. Uses the deployment's private network if that lists
 * the host.
 *
 * @param fetchedFor - undefined if there is no deployment yet
 * @param trust - CA certificates of the deployment
 * @throws ApiRefusal description_too_large, description_unreachable; token_not_allowed, plan_stale by its terms
 * @throws DeadlineExceeded where it had too little time; Fault
 */
export const fetchDescription = async (
  ports: FetchDescriptionPorts,
  terms: FetchTerms,
  address: DescriptionAddress,
  fetchedFor?: FetchedFor,
  trust: Trust = trustOf(fetchedFor),
): Promise<FetchedDescription> => {
  const fetched = await permitted(ports, terms.may, address, { fetchedFor, trust });
  terms.took(address.url, fetched.sent);
  return fetched;
};

const permitted = async (
  ports: FetchDescriptionPorts,
  may: FetchPermission,
  { url, headers }: DescriptionAddress,
  { fetchedFor, trust }: { readonly fetchedFor: FetchedFor | undefined; readonly trust: Trust },
): Promise<FetchedDescription> => {
  const isStored = headers === undefined && isStoredWay(url, fetchedFor);
  const check = (effect: 'fetch' | 'privileged_fetch', how: string) => {
    if (!isStored)
      may.check(effect, { doing: `fetch ${shownAddress(url)} ${how}`, instead: INSTEAD });
  };
  const shown = fetchedFor?.credential;
  const network = networkFor(ports.settings.networks, fetchedFor?.network, url);
  const names = Object.keys(fetchedFor?.credentials ?? {});
  const place = fetchedFor && {
    ...sealingOf(fetchedFor),
    slug: fetchedFor.slug,
    ...(names.length > 0 && { names }),
    ...(network !== undefined && { network }),
    ...trust,
  };
  const owned =
    place && shown?.origins.includes(originOf(url))
      ? {
          ...place,
          version: shown.version,
          ...(isConnectedKind(shown.type) && { type: shown.type }),
          ...(isPerCaller(shown) && { perCaller: true as const }),
        }
      : undefined;
  const withCredential = () => (owned ? ports.descriptionFetches.fetch(owned, url) : undefined);
  if (headers === undefined && owned && fetchedFor?.fetchWith === 'credential') {
    check('privileged_fetch', "with the deployment's credential");
    const answer = await withCredential();
    if (!answer) throw unreachable('nobody answered, or not with all of it');
    return received(answer);
  }
  const address = { url, ...(headers && { headers }) };
  const isInNetwork = place && network !== undefined;
  if (isInNetwork) check('privileged_fetch', `in the private network ${network}`);
  else check('fetch', 'over the internet');
  const answer = await (isInNetwork
    ? inNetwork(ports, address, place)
    : plainly(ports, address, trust));
  // Only callers who may send the credential to this address learn that it shows more to them.
  if (headers !== undefined || !owned || !may.allows('privileged_fetch')) return received(answer);
  const other = answer.status === 200 ? await withCredential() : undefined;
  const isOther = other?.status === 200 && !Buffer.from(other.body).equals(answer.body);
  return { ...received(answer), ...(isOther && { fuller: other.body }) };
};

/** The stored address, fetched as it is stored: its owner has chosen both. */
const isStoredWay = (url: string, fetchedFor: FetchedFor | undefined): boolean => {
  const stored = fetchedFor?.stored;
  return (
    stored !== undefined &&
    stored.publication.sourceUrl === url &&
    stored.fetchWith === fetchedFor?.fetchWith &&
    stored.network === fetchedFor?.network &&
    JSON.stringify(trustOf(stored)) === JSON.stringify(trustOf(fetchedFor))
  );
};

const INSTEAD =
  'Or send the description itself; an address that the deployment has stored already may be looked at as it is stored.';

/** Drops the query, which may hold a secret. */
const shownAddress = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};

/** Only the router reaches private networks. */
const inNetwork = async (
  { descriptionFetches }: Pick<ServersPorts, 'descriptionFetches'>,
  { url, headers }: DescriptionAddress,
  place: Parameters<DescriptionFetches['fetch']>[0],
): Promise<Pick<TargetAnswer, 'body' | 'headers' | 'status'>> => {
  const answer = await descriptionFetches.fetch(place, url, headers);
  if (answer) return answer;
  throw unreachable(`nobody answered in the private network, or not with all of it`);
};

const plainly = (
  { settings: { limits }, web }: FetchDescriptionPorts,
  { url, headers }: DescriptionAddress,
  trust: Trust,
): Promise<TargetAnswer> => {
  const maxBytes = limits.openapi_max_bytes;
  const timeoutSeconds = limits.target_timeout_seconds;
  const terms = { maxBytes, timeoutSeconds, keepsSeconds: COMPILE_SECONDS, ...trust };
  return (headers ? web.fetchWith(headers, url, terms) : web.fetch(url, terms)).catch(
    (error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
      throw error.reason === 'too_large'
        ? descriptionTooLarge(`The description is larger than ${maxBytes} bytes.`)
        : unreachable(
            `${NO_ANSWER_CAUSES[error.reason]} (${error.reason})`,
            HINTS_OF_CAUSES.get(error.reason),
          );
    },
  );
};

const received = ({
  status,
  headers,
  body,
}: Pick<TargetAnswer, 'body' | 'headers' | 'status'>): FetchedDescription => {
  if (status !== 200) {
    throw unreachable(`it answered HTTP ${status}`, asksWho(status) ? WHO_ASKS : undefined);
  }
  const { 'content-type': mediaType = '' } = headers;
  return { sent: body, ...(MEDIA_TYPE.test(mediaType) && { mediaType }) };
};

/** Media type with parameters of ordinary length. Source: RFC 9110 §8.3.1. */
const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:; *[\w-]{1,40}=[\w"'.:/-]{1,100})*$/;

const asksWho = (status: number): boolean => status === 401 || status === 403;

const WHO_ASKS =
  'It wants to know who asks: give a header (`openapi_headers`, `--fetch-header`), or send the description itself. It can be fetched with the credential of the server, too (`fetch_with`, `--fetch-with credential`).';
const OWN_AUTHORITY =
  'Send the description itself. Then name its authority in the settings of the server (`certificate_authorities`, `--certificate-authority FILE`).';
const HINTS_OF_CAUSES: ReadonlyMap<NoAnswer['reason'], string> = new Map([
  ['certificate_self_signed', OWN_AUTHORITY],
  ['certificate_of_unknown_authority', OWN_AUTHORITY],
]);

const unreachable = (
  what: string,
  hint = 'Check that the address is public, uses https and answers 200, or send the description itself.',
): ApiRefusal =>
  new ApiRefusal('description_unreachable', 'The description could not be fetched.', [
    { where: '/openapi_url', what, hint },
  ]);

/**
 * Counts owners' fetches, not those of operators.
 *
 * @throws ApiRefusal rate_limited
 * Source: docs/decisions/limits.md, "Work for an owner".
 */
export const countFetch = async (
  ports: CountWorkPorts,
  source: DescriptionSource,
  userId: string,
): Promise<void> => {
  if (!isUrlSource(source)) return;
  await countWork(ports, 'description_fetches_per_hour_per_user', userId);
};

/**
 * Replaces addresses by texts, so that a deployment does not change with what an address serves.
 *
 * @throws ApiRefusal rate_limited; invalid_request for an overlay that cannot be fetched, with its place
 */
export const fetchOverlays = async (
  ports: FetchDescriptionPorts & CountWorkPorts,
  terms: FetchTerms,
  changes: PublicationChanges,
  userId: string,
  trust: Trust = {},
): Promise<FetchedChanges> => {
  const { overlays, ...others } = changes;
  if (!overlays) return { ...others, ...(overlays === null && { overlays }) };
  const texts: string[] = [];
  for (const [index, overlay] of overlays.entries()) {
    if (typeof overlay === 'string') texts.push(overlay);
    else {
      await countFetch(ports, overlay, userId);
      texts.push(await fetched(ports, terms, { ...overlay, trust }, `/overlays/${index}/url`));
    }
  }
  return { ...others, overlays: texts };
};

/** Refusals by the terms of a request, which are passed on unchanged. */
const ABOUT_TERMS: readonly ApiRefusal['code'][] = ['plan_stale', 'token_not_allowed'];

const fetched = async (
  ports: FetchDescriptionPorts,
  terms: FetchTerms,
  { url, trust }: { readonly url: string; readonly trust: Trust },
  where: string,
): Promise<string> => {
  const [openapi_max_bytes] = MAX_BYTES.overlays;
  try {
    const { settings } = ports;
    const limits = { ...settings.limits, openapi_max_bytes };
    const { sent } = await fetchDescription(
      { ...ports, settings: { ...settings, limits } },
      terms,
      { url },
      undefined,
      trust,
    );
    return descriptionText(sent);
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ABOUT_TERMS.includes(error.code)) throw error;
    const isTooLarge = error.code === 'description_too_large';
    const [first] = isTooLarge ? [] : (error.findings ?? []);
    const what = first?.what ?? `larger than ${openapi_max_bytes} bytes`;
    const hint =
      'Check that the address is public, uses https and answers 200 with an OpenAPI Overlay, or send the overlay itself.';
    const found = [{ where, what, hint }];
    throw new ApiRefusal('invalid_request', 'An overlay could not be fetched.', found);
  }
};
