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
import { shownName } from '../../rules/authorization/consent-display.ts';

export type ProvenClient =
  | (Pick<OAuthClient, 'id' | 'authMethod' | 'expiresAt'> & { readonly source: 'registration' })
  | {
      readonly id: string;
      readonly source: 'metadata_document';
      /** What it proved itself with this time. */
      readonly authMethod: 'none' | 'private_key_jwt';
    };

/**
 * The client that a request to /token comes from, proven with the method it registered. Clients
 * with a metadata document sign, or prove nothing here but that a code or token is theirs: whether that
 * will do stands with the consent, so that the document is not needed again.
 *
 * @param sourceIp - the client's address
 * @throws OAuthRefusal invalid_client, too_many_requests
 *
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
  // Counted per address, so that a stranger's failures never keep the client itself out.
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
 * Whether a client has proven itself as its user's consent wants it to: one whose document offered signatures
 * alone does not pass without, or its id would be all that a thief of its codes needs.
 *
 * @throws OAuthRefusal invalid_client
 */
export const checkProof = (
  { authMethod }: ProvenClient,
  { clientAuthMethod }: Pick<Grant, 'clientAuthMethod'>,
): void => {
  if (clientAuthMethod === undefined || authMethod === clientAuthMethod) return;
  throw invalidClient('not signed by a client that must sign');
};

/** Whether a client is a public one, whose refresh tokens change with each use. */
export const isPublicClient = (
  { source, authMethod }: ProvenClient,
  { clientAuthMethod }: Pick<Grant, 'clientAuthMethod'>,
): boolean => (source === 'registration' ? authMethod === 'none' : clientAuthMethod === undefined);

type AuthenticateClientPorts = PortsOf<typeof countRequest> &
  FindClientPorts &
  Pick<OauthPorts, 'clientAssertions' | 'events' | 'issuerKeys' | 'jwtSignatures'>;

/**
 * Whether a client signed what it presents, with a key that its metadata document names, and shows it for
 * the first time.
 *
 * @param sourceIp - the client's address
 * @throws OAuthRefusal invalid_client, too_many_requests
 *
 * Source: RFC 7523 §3; docs/decisions/oauth.md, "Client authentication".
 */
export const checkAssertion = async (
  ports: AuthenticateClientPorts,
  { id, assertion }: PresentedAssertion,
  sourceIp: string,
): Promise<void> => {
  // Whatever a stranger wrote there: nothing is counted or recorded under it.
  if (!isDocumentUrl(id)) throw invalidClient('client assertion of no metadata document');
  let name: string | undefined;
  try {
    // What needs neither document nor keys comes first: a stranger's guesses cause no request of ours.
    const said = readClientAssertion(assertion, ports.settings.baseUrl, ports.clock.now());
    // The address before all, since clients can be made up without end.
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
    // Of a client that nobody has seen here nobody would read, and strangers can make up any number.
    if (name !== undefined) {
      const told = `${shownName(name)}: ${why}`;
      ports.events.record({ type: 'security', event, subject: id, why: told });
    }
    throw invalidClient(why);
  }
};

/** What is wrong with a document is no affair of whoever may have made up its address. */
const knownClient = (
  ports: AuthenticateClientPorts,
  id: string,
  sourceIp: string,
): Promise<OAuthClient> =>
  findClientFor(ports, id, sourceIp).catch((error: unknown) => {
    if (!(error instanceof OAuthRefusal) || error.code !== 'invalid_client') throw error;
    throw invalidClient(error.why);
  });

/** Keys that cannot be had are the client's affair: no fault of ours, and nothing to wait for. */
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
 * The client behind an id: registered, or described by the document that the id is the URL of. A
 * document is kept for a while; one that cannot be used is not, and is fetched again when somebody
 * asks. So whoever lets strangers ask counts them first.
 *
 * @throws OAuthRefusal invalid_client, its description fit for a page
 *
 * Source: draft-ietf-oauth-client-id-metadata-document §4; docs/decisions/oauth.md, "Client metadata
 * documents".
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
 * The same for whoever asks at /token. A document that is known costs nothing; for another one the address is
 * counted, since ids can be made up without end.
 *
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

/**
 * That the operator takes documents of that host, also one that is remembered.
 *
 * @throws OAuthRefusal invalid_client
 */
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
 * Counts a request to /token, so that no stranger spends what a client may ask for. Once something was shown that is a
 * user's, client and user are counted: a hosted client sends the requests of all its users from few addresses. What
 * shows nothing counts the client, with its address where it has no secret, and the address alone where clients can be
 * made up without end.
 *
 * @throws OAuthRefusal too_many_requests
 *
 * Source: docs/decisions/limits.md, "Limits of the OAuth server"; docs/decisions/oauth.md, "Client
 * metadata documents".
 */
export const countTokenRequest = (
  ports: PortsOf<typeof countRequest>,
  client: ProvenClient,
  shown: ShownGrant | undefined,
  sourceIp: string,
): Promise<void> =>
  countRequest(ports, 'token_per_minute_per_client', subjectOf(client, shown, sourceIp));

/** Whose code or token it is that was shown. */
type ShownGrant = Pick<Grant, 'clientId' | 'userId'>;

/** People by a fingerprint of their id: counters outlive accounts by some minutes. */
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
 * Puts the end of a registration off, since it gets or refreshes a grant: before anything is used up, so that
 * a store that is down costs no code.
 *
 * Source: docs/decisions/oauth.md, "Clients that nobody uses".
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
