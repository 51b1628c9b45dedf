import {
  authenticationFault,
  challengeOf,
  DOCUMENT_LIMITS,
  invalidClient,
  isDocumentUrl,
  type PresentedAssertion,
  type PresentedClient,
  prolongedExpiry,
  readClientDocument,
  refusedDocumentHost,
  unreachable,
} from '../../rules/clients/clients.ts';
import type { ClientKeys, Grant, OAuthClient } from '../../../tokens/rules/oauth-records.ts';
import { isRegisteredId } from '../../rules/tokens/tokens.ts';
import { clientAtAddress, countRequest } from '../count-request.ts';
import { InvalidToken } from '../../../tokens/rules/authorization.ts';
import { addressSubject } from '../../../platform/rules/subject.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import { ASSERTION_ALGORITHMS, readClientAssertion } from '../../rules/clients/client-assertion.ts';
import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { Jwk } from '../../../tokens/rules/signing-keys.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { OauthPorts, OauthSettings } from '../../ports.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import type { TokensPorts } from '../../../tokens/ports.ts';
import { takesDocumentOf } from '../../rules/clients/client-document-hosts.ts';
import { NoAnswer } from '../../../target/rules/target.ts';
import { metadataRules } from './metadata-rules.ts';
import { shownName } from '../../../platform/rules/shown-name.ts';

export type ProvenClient =
  | (Pick<OAuthClient, 'id' | 'authMethod' | 'expiresAt'> & { readonly source: 'registration' })
  | {
      readonly id: string;
      readonly source: 'metadata_document';
      /** How it has just authenticated. */
      readonly authMethod: 'none' | 'private_key_jwt';
    };

/**
 * The client of a request to /token, proven by its registered method. A client with a metadata document signs, or
 * proves nothing but possession of its code or token; the consent says whether that suffices, so the document is not
 * fetched again.
 * @param sourceIp - the client's address
 * @throws OAuthRefusal invalid_client, too_many_requests
 * Source: RFC 6749 §3.2.1; docs/decisions/oauth.md, "Client authentication", "Client metadata documents".
 */
export const authenticateClient = async (
  ports: AuthenticateClientPorts,
  presented: PresentedClient,
  sourceIp: string,
): Promise<ProvenClient> => {
  const { id, method } = presented;
  const challenge = challengeOf(method);
  checkDocumentHost(ports, id);
  if (presented.method === 'private_key_jwt') {
    await checkAssertion(ports, presented, sourceIp);
    return { id, source: 'metadata_document', authMethod: 'private_key_jwt' };
  }
  if (isDocumentUrl(id) && method === 'none') {
    return { id, source: 'metadata_document', authMethod: 'none' };
  }
  const client = isRegisteredId(id) ? await ports.clients.find(id) : undefined;
  if (!client) throw invalidClient('unknown client', challenge);

  const fault = authenticationFault(presented, client);
  if (fault === undefined) return { ...client, source: 'registration' };
  // Per client and address, so that a stranger's failures never lock the client itself out.
  await countRequest(ports, 'token_per_minute_per_client', clientAtAddress(id, sourceIp));
  ports.events.record({
    type: 'security',
    event: 'client_authentication_failed',
    subject: id,
    why: `${shownName(client.name)}: ${fault}`,
  });
  throw invalidClient(fault, challenge);
};

/**
 * Requires a signature if the consent does: the document of such a client offered only signatures. Otherwise its
 * public id would be all that a thief of its codes needs.
 * @throws OAuthRefusal invalid_client
 */
export const checkProof = (
  { authMethod }: ProvenClient,
  { clientAuthMethod }: Pick<Grant, 'clientAuthMethod'>,
): void => {
  if (clientAuthMethod === undefined || authMethod === clientAuthMethod) return;
  throw invalidClient('not signed by a client that must sign');
};

/** Refresh tokens of public clients rotate. */
export const isPublicClient = (
  { source, authMethod }: ProvenClient,
  { clientAuthMethod }: Pick<Grant, 'clientAuthMethod'>,
): boolean => (source === 'registration' ? authMethod === 'none' : clientAuthMethod === undefined);

type AuthenticateClientPorts = PortsOf<typeof countRequest> &
  FindClientPorts &
  Pick<OauthPorts, 'clientAssertions' | 'events' | 'issuerKeys' | 'jwtSignatures'>;

/**
 * Checks a client assertion: signed with a key of the client's metadata document, and never used before.
 * @param sourceIp - the client's address
 * @throws OAuthRefusal invalid_client, too_many_requests
 * Source: RFC 7523 §3; docs/decisions/oauth.md, "Client authentication".
 */
export const checkAssertion = async (
  ports: AuthenticateClientPorts,
  { id, assertion }: PresentedAssertion,
  sourceIp: string,
): Promise<void> => {
  // Arbitrary ids must not create counters or events.
  if (!isDocumentUrl(id)) throw invalidClient('client assertion of no metadata document');
  let name: string | undefined;
  try {
    // Checks without document and keys come first, so that guesses of strangers cause no outgoing request.
    const said = readClientAssertion(assertion, ports.settings.baseUrl, ports.clock.now());
    // The address is counted first, since client ids can be made up without end.
    await countRequest(ports, 'client_assertions_per_minute_per_ip', addressSubject(sourceIp));
    const known = await knownClient(ports, id, sourceIp);
    const { keys } = known;
    name = known.name;
    const client = clientAtAddress(id, sourceIp);
    await countRequest(ports, 'client_assertions_per_minute_per_client', client);
    if (!keys) throw new InvalidToken('client without keys');
    const signedWith = await keysOf(ports, keys, said.keyId);
    await ports.jwtSignatures.check(assertion, signedWith, ASSERTION_ALGORITHMS);
    if (!(await ports.clientAssertions.use(said))) throw new InvalidToken('used before');
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    const why = `client assertion: ${error.why}`;
    const event = 'client_authentication_failed';
    // Failures of unknown clients are not recorded: strangers can make up any number of them.
    if (name !== undefined) {
      const told = `${shownName(name)}: ${why}`;
      ports.events.record({ type: 'security', event, subject: id, why: told });
    }
    throw invalidClient(why);
  }
};

/** Hides what is wrong with a document from callers who may have made up its address. */
const knownClient = (
  ports: AuthenticateClientPorts,
  id: string,
  sourceIp: string,
): Promise<OAuthClient> =>
  findClientFor(ports, id, sourceIp).catch((error: unknown) => {
    if (!(error instanceof OAuthRefusal) || error.code !== 'invalid_client') throw error;
    throw invalidClient(error.why);
  });

/** Unreachable keys are the client's problem: `invalid_client`, not a Fault. */
const keysOf = async (
  { issuerKeys }: Pick<TokensPorts, 'issuerKeys'>,
  keys: ClientKeys,
  keyId: string | undefined,
): Promise<readonly Jwk[]> => {
  if ('list' in keys) return keys.list;
  return issuerKeys.find(keys.uri, keyId).catch((error: unknown) => {
    if (error instanceof Fault) throw new InvalidToken(error.message);
    throw error;
  });
};

type FindClientPorts = PortsOf<typeof metadataRules> &
  Pick<OauthPorts, 'clients' | 'clock' | 'web'> & {
    readonly settings: PlatformSettings &
      LimitsSettings &
      Pick<OauthSettings, 'clientDocumentHosts'>;
  };

/**
 * The client of an id: registered, or described by the document at that URL. Documents are cached; an unusable one is
 * not, and is fetched on every request. Callers must count requests of strangers first.
 * @throws OAuthRefusal invalid_client, its description fit for a page
 * Source: draft-ietf-oauth-client-id-metadata-document §4; docs/decisions/oauth.md, "Client metadata documents".
 */
export const findClient = async (ports: FindClientPorts, id: string): Promise<OAuthClient> => {
  if (!isRegisteredId(id) && !isDocumentUrl(id)) throw invalidClient('no client id');
  checkDocumentHost(ports, id);
  const known = await ports.clients.find(id);
  if (known) return known;
  if (isRegisteredId(id)) throw invalidClient('unknown client');
  return describedClient(ports, id);
};

/**
 * For /token: a cached document costs nothing; to fetch another one is counted by address, since ids can be made up
 * without end.
 * @param sourceIp - the client's address
 * @throws OAuthRefusal invalid_client, too_many_requests
 */
export const findClientFor = async (
  ports: FindClientPorts & PortsOf<typeof countRequest>,
  id: string,
  sourceIp: string,
): Promise<OAuthClient> => {
  const known = await ports.clients.find(id);
  if (known) return known;
  await countRequest(ports, 'token_per_minute_per_client', addressSubject(sourceIp));
  return findClient(ports, id);
};

/** Checks the operator's list of hosts, for cached documents, too. @throws OAuthRefusal invalid_client */
export const checkDocumentHost = (
  {
    settings: { clientDocumentHosts = 'all' },
  }: { readonly settings: Pick<OauthSettings, 'clientDocumentHosts'> },
  id: string,
): void => {
  if (isDocumentUrl(id) && !takesDocumentOf(clientDocumentHosts, id)) throw refusedDocumentHost(id);
};

const describedClient = async (ports: FindClientPorts, url: string): Promise<OAuthClient> => {
  const { clients, clock, web } = ports;
  const answer = await web.fetchExactly(url, DOCUMENT_LIMITS).catch((error: unknown) => {
    if (error instanceof NoAnswer) throw unreachable(url, error.reason);
    throw error;
  });
  const client = readClientDocument(url, answer, await metadataRules(ports), clock.now());
  await clients.put(client);
  return client;
};

/**
 * Counts a request to /token, so that strangers cannot use up a client's limit. With a user's code or token, client
 * and user are counted together: a hosted client sends all its users' requests from few addresses. Otherwise the
 * client is counted, with its address if it has no secret, and only the address where client ids can be made up
 * without end.
 * @throws OAuthRefusal too_many_requests. Source: docs/decisions/limits.md, "Limits of the OAuth server";
 *   docs/decisions/oauth.md, "Client metadata documents".
 */
export const countTokenRequest = (
  ports: PortsOf<typeof countRequest>,
  client: ProvenClient,
  shown: ShownGrant | undefined,
  sourceIp: string,
): Promise<void> =>
  countRequest(ports, 'token_per_minute_per_client', subjectOf(client, shown, sourceIp));

/** The grant of the presented code or token. */
type ShownGrant = Pick<Grant, 'clientId' | 'userId'>;

/** Users are hashed, since counters outlive deleted accounts by some minutes. */
const subjectOf = (
  client: ProvenClient,
  shown: ShownGrant | undefined,
  sourceIp: string,
): string => {
  const { id } = client;
  if (shown?.clientId === id) return `${id} ${fingerprint(shown.userId)}`;
  if (client.source !== 'registration') return addressSubject(sourceIp);
  return client.authMethod === 'none' ? clientAtAddress(id, sourceIp) : id;
};

/**
 * Postpones the expiry of a registration that gets or refreshes a grant. Done before a code is used up, so that a
 * failing store costs no code. Source: docs/decisions/oauth.md, "Unused clients".
 */
export const prolongClient = async (
  {
    clients,
    clock,
    settings,
  }: Pick<OauthPorts, 'clients' | 'clock'> & {
    readonly settings: LimitsSettings;
  },
  client: ProvenClient,
): Promise<void> => {
  if (client.source !== 'registration') return;
  const { refresh_token_seconds: refreshTokenSeconds } = settings.limits;
  const expiresAt = prolongedExpiry(client.expiresAt, clock.now(), refreshTokenSeconds);
  if (expiresAt !== undefined) await clients.prolong(client.id, expiresAt);
};
