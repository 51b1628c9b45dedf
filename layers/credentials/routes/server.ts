import { storeEvents } from '../steps/account-for-retrieval.ts';
import { type BrokerPorts, retrieveCredential } from '../steps/retrieve-credential.ts';
import { type CredentialFailure, CredentialUnavailable } from '../rules/credential-access.ts';
import { CREDENTIAL_NAME, MAIN } from '../rules/credential-name.ts';
import { readEvent, type Retrieval, retrievalMembers, retrievalOf } from '../rules/retrieval.ts';
import * as z from 'zod/mini';

type Credential = Awaited<ReturnType<typeof retrieveCredential>>;

export type BrokerAnswer =
  | { readonly ok: true; readonly credential: Credential }
  | { readonly ok: false; readonly reason: CredentialFailure };

/** Event by which the router invokes the broker. */
const Event = z.pipe(
  z.strictObject({
    ...retrievalMembers,
    /** Name of the credential; absent for `main`. */
    name: z.exactOptional(z.string().check(z.regex(CREDENTIAL_NAME))),
  }),
  z.transform((sent) => retrievalOf(sent, sent.name ?? MAIN, 'store')),
);

/**
 * Credential broker. It has no HTTP route: the router's role alone may invoke it.
 *
 * @throws Error for an event that the router does not send
 * Source: docs/decisions/credentials.md, "Credentials".
 */
export const server =
  (ports: BrokerPorts) =>
  async (event: unknown): Promise<BrokerAnswer> => {
    const retrieval = readEvent(Event, event, 'a request for a credential');
    const answer = await answerTo(ports, retrieval);
    await storeEvents(ports, retrieval);
    return answer;
  };

const answerTo = async (ports: BrokerPorts, retrieval: Retrieval): Promise<BrokerAnswer> => {
  try {
    return { ok: true, credential: await retrieveCredential(ports, retrieval) };
  } catch (error) {
    if (!(error instanceof CredentialUnavailable)) throw error;
    return { ok: false, reason: error.reason };
  }
};
