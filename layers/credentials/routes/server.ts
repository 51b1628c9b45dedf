import {
  type BrokerPorts,
  type Retrieval,
  retrieveCredential,
} from '../steps/retrieve-credential.ts';
import { type CredentialFailure, CredentialUnavailable } from '../rules/credential-access.ts';
import { CREDENTIAL_NAME, MAIN } from '../rules/credential-name.ts';
import * as z from 'zod/mini';

type Credential = Awaited<ReturnType<typeof retrieveCredential>>;

export type BrokerAnswer =
  | { readonly ok: true; readonly credential: Credential }
  | { readonly ok: false; readonly reason: CredentialFailure };

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));

/** What the router sends. A key of a table or a secret's name is made of it. */
const Event = z.pipe(
  z.strictObject({
    deployment_id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
    owner_id: text(128),
    version: z.string().check(z.regex(/^[\w-]{32,64}$/)),
    /** Absent: the one that is called `main`. */
    name: z.exactOptional(z.string().check(z.regex(CREDENTIAL_NAME))),
    instance: z.string().check(z.regex(/^[\w-]{1,64}$/)),
    caller: z.strictObject({
      user: text(4096),
      ip: text(64),
      user_agent: z.exactOptional(z.string()),
      request_id: text(256),
    }),
  }),
  z.transform((sent): Retrieval => ({
    ref: {
      deploymentId: sent.deployment_id,
      ownerId: sent.owner_id,
      name: sent.name ?? MAIN,
      from: 'store',
      version: sent.version,
    },
    use: {
      user: sent.caller.user,
      ip: sent.caller.ip,
      userAgent: sent.caller.user_agent,
      requestId: sent.caller.request_id,
    },
    instance: sent.instance,
  })),
);

/**
 * The credential broker on given ports: no route leads here, the router's role alone may invoke it.
 *
 * @throws Error for an event that is none of the router's
 *
 * Source: docs/decisions/credentials.md, "Credentials".
 */
export const server =
  (ports: BrokerPorts) =>
  async (event: unknown): Promise<BrokerAnswer> => {
    const retrieval = readEvent(event);
    const answer = await answerTo(ports, retrieval);
    // The log has the event in any case.
    await ports.events.flush().catch(() =>
      ports.log.write({
        message: 'events_lost',
        level: 'error',
        request_id: retrieval.use.requestId,
      }),
    );
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

const readEvent = (event: unknown): Retrieval => {
  const { success, data, error } = z.safeParse(Event, event);
  if (success) return data;
  const where = error.issues.map(({ path }) => path.join('.') || 'the event').join(', ');
  throw new Error(`not a request for a credential: ${where}`);
};
