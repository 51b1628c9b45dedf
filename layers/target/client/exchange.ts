import { isAscii, isUtf8 } from 'node:buffer';
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import {
  type AgentOptions,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { ACCEPT_ENCODING, type BodyLimits, receiveBody, type ReceivedBody } from './body.ts';
import { failure, isReset } from './failure.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { ClientCertificate } from '../rules/credential.ts';
import { checkDestination, checkUrl, hostOf, portOf } from './guard.ts';
import {
  MAX_REQUEST_HEAD_BYTES,
  NoAnswer,
  type TargetAnswer,
  type TargetPolicy,
  type TargetRequest,
} from '../rules/target.ts';

interface Terms extends BodyLimits {
  readonly policy: TargetPolicy;
  /** Connections to use, and those to use where a kept one turned out to be dead. */
  readonly agents: Agents;
  readonly fresh: Agents;
  /** Ends the exchange, however far it is. */
  readonly signal: AbortSignal;
}

/** Node's default, which an environment could change. Bytes of an answer's status line and headers. */
const MAX_ANSWER_HEAD_BYTES = 16_384;

/** Repeating them does no harm. Source: RFC 9110 §9.2.2. */
export const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * One request and its answer, redirects included as they are. If a connection that was kept from before breaks before
 * the answer begins, an idempotent request is sent once more on a new one.
 *
 * @throws NoAnswer
 */
export const exchange = async (hop: Hop, terms: Terms): Promise<TargetAnswer> => {
  checkUrl(terms.policy, hop.url);
  try {
    return await attempt(hop, terms, terms.agents);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    if (IDEMPOTENT.has(hop.method)) return attempt(hop, terms, terms.fresh);
    throw new NoAnswer('connection_failed', `${hop.url.origin}: a kept connection was closed`);
  }
};

class StaleConnection extends Error {}

const attempt = (hop: Hop, terms: Terms, agents: Agents): Promise<TargetAnswer> => {
  const { signal } = terms;
  const { origin } = hop.url;
  const request = open(hop, agents);

  return new Promise((resolve, reject) => {
    let answered: IncomingMessage | undefined;
    const fail = (error: unknown): void => {
      const isStale = request.reusedSocket && !answered && isReset(error);
      reject(isStale ? new StaleConnection() : failure(error, origin, request.socket));
    };
    // Not Node's own `signal`: it says nothing while a request waits for a connection.
    const stop = (): void => {
      // Of an answer that has begun, its body's reader hears of it first.
      setImmediate(() => {
        fail(new NoAnswer('timeout', `${origin}: no whole answer in time`));
        request.destroy();
      });
    };

    // Once an answer has begun, it depends on what was read of it whether it has failed.
    request.on('error', (error) => (answered ? answered.destroy(error) : fail(error)));
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new NoAnswer('invalid_response', `${origin}: switches protocols`));
    });
    request.on('response', (response) => {
      answered = response;
      receiveBody(response, terms).then((body) => resolve(answerOf(response, body)), fail);
    });
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    // As bytes: Node writes headers as Latin-1, but in the charset of the body where that is a text.
    request.end(typeof hop.body === 'string' ? Buffer.from(hop.body) : hop.body);
  });
};

/** @throws NoAnswer `invalid_request` if Node finds a header or the method not to be valid */
const open = (hop: Hop, { http, https }: Agents): ClientRequest => {
  const { method, url } = hop;
  const options = {
    method,
    host: hostOf(url),
    port: portOf(url),
    path: url.pathname + url.search,
    headers: headersOf(hop),
    maxHeaderSize: MAX_ANSWER_HEAD_BYTES,
    insecureHTTPParser: false,
    joinDuplicateHeaders: true,
  };
  try {
    return url.protocol === 'https:'
      ? httpsRequest({ ...options, agent: https })
      : httpRequest({ ...options, agent: http });
  } catch (error) {
    throw failure(error, url.origin, null);
  }
};

const answerOf = (response: IncomingMessage, body: ReceivedBody): TargetAnswer => {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(response.headers)) {
    // They describe what was on the wire, not what is in `body` now.
    if (body.isDecoded && (name === 'content-encoding' || name === 'content-length')) continue;
    const all = SINGLE.has(name) ? response.headersDistinct[name]?.slice(0, 1) : undefined;
    headers.push([name, asText([all ?? value ?? ''].flat().join(', '))]);
  }
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: body.bytes,
    ...(body.isCut && { cut: cutOf(response, body) }),
  };
};

/** Of these the first counts, as for most clients: a list of them means nothing. Source: RFC 9110 §5.3. */
const SINGLE: ReadonlySet<string> = new Set([
  'content-location',
  'etag',
  'last-modified',
  'location',
  'operation-location',
  'retry-after',
]);

/** Node reads each byte as a character; many servers write UTF-8. Source: RFC 9110 §5.5. */
const asText = (value: string): string => {
  const bytes = Buffer.from(value, 'latin1');
  return bytes.length > 0 && !isAscii(bytes) && isUtf8(bytes) ? bytes.toString('utf8') : value;
};

const cutOf = (
  { headers }: IncomingMessage,
  { bytes, isDecoded, cutBy }: ReceivedBody,
): NonNullable<TargetAnswer['cut']> => {
  const declared = headers['content-length'];
  const by = cutBy && { by: cutBy };
  if (isDecoded || declared === undefined) return { ...by };
  const totalBytes = Number(declared);
  return { ...by, totalBytes, missingBytes: totalBytes - bytes.length };
};

interface ConnectionRules {
  readonly policy: TargetPolicy;
  /** From the first DNS query to the end of the TLS handshake. */
  readonly connectTimeoutSeconds: number;
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Trusted beside the public ones, and those of the policy. */
  readonly certificateAuthorities?: readonly string[] | undefined;
  /** Resolves names; as the system does if omitted. */
  readonly lookup?: Lookup;
}

export type Lookup = (
  host: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Node's connection pools, one for each scheme. */
interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/**
 * Below the 5 s after which many servers close idle connections. After a freeze of the Lambda instance, timers fire
 * before its next event is read, so that no connection from before the freeze is used again.
 */
const IDLE_MS = 4000;

/** Connections that are kept for the next request; while idle they do not keep the process alive. */
const keepAliveAgents = (rules: ConnectionRules): Agents =>
  agents(rules, { keepAlive: true, maxSockets: 64, maxFreeSockets: 16, timeout: IDLE_MS });

/** A connection of its own for every request. */
export const freshAgents = (rules: ConnectionRules): Agents => agents(rules, { keepAlive: false });

/** Closes what no request is using; the rest follows by itself once it has been idle. */
const closeIdle = ({ http, https }: Agents): void => {
  for (const agent of [http, https]) {
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  }
};

export const agents = (rules: ConnectionRules, options: AgentOptions): Agents => ({
  http: guarded(rules, new HttpAgent(options), 'connect'),
  // Said aloud, so that no environment variable can turn it off.
  https: guarded(
    rules,
    new HttpsAgent({ ...options, ...identified(rules), rejectUnauthorized: true }),
    'secureConnect',
  ),
});

/** Made once for the same certificates, since reading all public authorities takes longer than a handshake. */
const contexts = new LRUCache<string, SecureContext>({ max: 64 });

/** What connections show, and what they trust besides the public authorities. */
const identified = ({
  clientCertificate,
  certificateAuthorities = [],
  policy: { loopback, network },
}: ConnectionRules) => {
  const shown = clientCertificate && {
    cert: clientCertificate.certificate,
    key: clientCertificate.privateKey,
  };
  const trusted = [
    ...(network?.certificateAuthorities ?? []),
    ...(loopback?.certificateAuthorities ?? []),
    ...certificateAuthorities,
  ];
  if (trusted.length === 0) return shown ?? {};
  const key = fingerprint(JSON.stringify([trusted, shown]));
  const known = contexts.get(key);
  if (known) return { secureContext: known };
  // The public ones, and what the machine's owner has added to them.
  const ca = [...getCACertificates('default'), ...trusted];
  const secureContext = createSecureContext({ ca, ...shown });
  contexts.set(key, secureContext);
  return { secureContext };
};

/**
 * Makes an agent check every address that it connects to. Names are resolved once, all their addresses are checked,
 * and the connection goes to those very addresses: there is no second resolution that could answer otherwise.
 */
const guarded = <A extends HttpAgent>(
  { policy, connectTimeoutSeconds, lookup = systemLookup }: ConnectionRules,
  agent: A,
  ready: 'connect' | 'secureConnect',
): A => {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const check = (address: string): void => {
      const isTls = ready === 'secureConnect';
      checkDestination(policy, { address, port: Number(options.port), isTls });
    };
    const host = options.host ?? '';
    // Addresses are not resolved, so `lookup` would not see them.
    if (isIP(host) !== 0) check(host);
    const pinned = { ...options, lookup: checkedLookup(lookup, check), autoSelectFamily: true };
    const socket = connect(pinned, callback) as Socket;

    const timer = setTimeout(() => {
      const seconds = connectTimeoutSeconds;
      socket.destroy(new NoAnswer('timeout', `${host}: no connection within ${seconds} s`));
    }, connectTimeoutSeconds * 1000);
    socket.once(ready, () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    return socket;
  };
  return agent;
};

/** A resolver of which every answer is checked; one address that is refused refuses them all. */
const checkedLookup =
  (resolve: Lookup, check: (address: string) => void): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, []);
      try {
        for (const { address } of addresses) check(address);
      } catch (refused) {
        return callback(refused as Error, []);
      }
      callback(null, addresses);
    });
  };

/** Agents for as many deployments; those of the deployment that was not asked for the longest are given up. */
const MAX_POOLS = 256;

interface AgentPool {
  /** The agents of one deployment and its certificates, so that no connection is ever shared between two. */
  of(deploymentId: string, certificates?: Certificates): Agents;
  /** Ends all connections, those in use included. */
  close(): void;
}

type Certificates = Pick<ConnectionRules, 'certificateAuthorities' | 'clientCertificate'>;

export const agentPool = (rules: ConnectionRules): AgentPool => {
  const pools = new LRUCache<string, Agents>({ max: MAX_POOLS, dispose: closeIdle });

  return {
    of: (deploymentId, { clientCertificate, certificateAuthorities } = {}) => {
      const certificates = [clientCertificate, certificateAuthorities];
      const key = certificates.some((one) => one !== undefined)
        ? `${deploymentId}#${fingerprint(JSON.stringify(certificates))}`
        : deploymentId;
      const known = pools.get(key);
      if (known) return known;
      const agents = keepAliveAgents({ ...rules, clientCertificate, certificateAuthorities });
      pools.set(key, agents);
      return agents;
    },

    close: () => {
      for (const { http, https } of pools.values()) {
        http.destroy();
        https.destroy();
      }
    },
  };
};

/** One request on its way, with a URL that has been read. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** @throws NoAnswer `invalid_request` */
export const firstHop = ({ url: text, method, headers, body }: TargetRequest): Hop => {
  const url = URL.parse(text);
  if (!url) throw new NoAnswer('invalid_request', 'the URL is not valid');
  const head = [url.href, ...Object.entries(headers).flat()];
  if (head.reduce((bytes, { length }) => bytes + length, 0) > MAX_REQUEST_HEAD_BYTES) {
    throw new NoAnswer('invalid_request', `${url.origin}: URL and headers are too large`);
  }
  return { method, url, headers, ...(body !== undefined && { body }) };
};

/**
 * What goes on the wire: the request's headers and, where it has none of the name, what every client sends. Headers
 * that frame messages and connections are Node's alone to write.
 */
const headersOf = ({ headers, body }: Hop): Record<string, string | number> => ({
  accept: '*/*',
  'accept-encoding': ACCEPT_ENCODING,
  'user-agent': 'hosted-mcp',
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !FRAMING.has(name))),
  // Node writes none for methods that usually have no body, and the server would take it for another request.
  ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
});

const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
