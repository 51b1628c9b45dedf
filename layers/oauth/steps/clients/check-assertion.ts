import { InvalidToken } from '../../../tokens/rules/invalid-token.ts';
import { addressSubject } from '../../../platform/rules/subject.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import { ASSERTION_ALGORITHMS, readClientAssertion } from '../../rules/clients/client-assertion.ts';
import type { ClientKeys, OAuthClient } from '../../../tokens/rules/oauth-records.ts';
import {
  invalidClient,
  type PresentedAssertion,
} from '../../rules/clients/client-authentication.ts';
import { isDocumentUrl } from '../../rules/clients/client-document.ts';
import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { Jwk } from '../../../tokens/rules/signing-keys.ts';
import type { Ports } from '../../../ports.ts';
import { clientAtAddress, countRequest, type CountRequestPorts } from '../count-request.ts';
import { findClientFor, type FindClientPorts } from './find-client.ts';

export type CheckAssertionPorts = CountRequestPorts &
  FindClientPorts &
  Pick<Ports, 'clientAssertions' | 'events' | 'issuerKeys' | 'jwtSignatures'>;

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
  ports: CheckAssertionPorts,
  { id, assertion }: PresentedAssertion,
  sourceIp: string,
): Promise<void> => {
  // Whatever a stranger wrote there: nothing is counted or recorded under it.
  if (!isDocumentUrl(id)) throw invalidClient('client assertion of no metadata document');
  let isKnown = false;
  try {
    // What needs neither document nor keys comes first: a stranger's guesses cause no request of ours.
    const said = readClientAssertion(assertion, ports.settings.baseUrl, ports.clock.now());
    // The address before all, since clients can be made up without end.
    await countRequest(ports, 'client_assertions_per_minute_per_ip', addressSubject(sourceIp));
    const { keys } = await knownClient(ports, id, sourceIp);
    isKnown = true;
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
    if (isKnown) ports.events.record({ type: 'security', event, subject: id, why });
    throw invalidClient(why);
  }
};

/** What is wrong with a document is no affair of whoever may have made up its address. */
const knownClient = (
  ports: CheckAssertionPorts,
  id: string,
  sourceIp: string,
): Promise<OAuthClient> =>
  findClientFor(ports, id, sourceIp).catch((error: unknown) => {
    if (!(error instanceof OAuthRefusal) || error.code !== 'invalid_client') throw error;
    throw invalidClient(error.why);
  });

/** Keys that cannot be had are the client's affair: no fault of ours, and nothing to wait for. */
const keysOf = async (
  { issuerKeys }: Pick<Ports, 'issuerKeys'>,
  keys: ClientKeys,
  keyId: string | undefined,
): Promise<readonly Jwk[]> => {
  if ('list' in keys) return keys.list;
  return issuerKeys.find(keys.uri, keyId).catch((error: unknown) => {
    if (error instanceof Fault) throw new InvalidToken(error.message);
    throw error;
  });
};
