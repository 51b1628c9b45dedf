import { isAscii, isUtf8 } from 'node:buffer';
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import {
  type AgentOptions,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
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
  type HeaderLines,
  IDEMPOTENT,
  isHeadTooLarge,
  NoAnswer,
  type TargetAnswer,
  type TargetPolicy,
  type TargetRequest,
} from '../rules/target.ts';

interface Terms extends BodyLimits {
  readonly policy: TargetPolicy;
  /** `fresh` is used if a kept-alive connection of `agents` turns out to be closed. */
  readonly agents: Agents;
  readonly fresh: Agents;
  readonly signal: AbortSignal;
}

/** Limit for status line and headers of an answer: Node's default, which an environment variable could change. */
const MAX_ANSWER_HEAD_BYTES = 16_384;

/**
 * One request and its answer; redirects are not followed. If a kept-alive connection breaks before the answer begins, an
 * idempotent request is sent again on a new one.
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
    // Node's own `signal` option has no effect while a request waits for a connection.
    const stop = (): void => {
      // Lets the body's reader handle the abort first: what it has read may be an answer.
      setImmediate(() => {
        fail(new NoAnswer('timeout', `${origin}: no whole answer in time`));
        request.destroy();
      });
    };

    // Once the answer has begun, the body's reader decides whether it has failed.
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
    // As bytes: with a string body Node would write headers in the body's charset, instead of Latin-1.
    request.end(typeof hop.body === 'string' ? Buffer.from(hop.body) : hop.body);
  });
};

/** @throws NoAnswer `invalid_request` for headers or a method that Node refuses */
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
    // They describe the encoded body, and `body` is decoded.
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

/** Headers without list syntax: the first value counts, as in most clients. Source: RFC 9110 §5.3. */
const SINGLE: ReadonlySet<string> = new Set([
  'content-location',
  'etag',
  'last-modified',
  'location',
  'operation-location',
  'retry-after',
]);

/** Node decodes headers as Latin-1; many servers send UTF-8. Source: RFC 9110 §5.5. */
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
  /** In addition to public authorities and those of the policy. */
  readonly certificateAuthorities?: readonly string[] | undefined;
  /** By default as the system resolves names. */
  readonly lookup?: Lookup;
}

export type Lookup = (
  host: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/**
 * Below the 5 s after which many servers close idle connections. When a frozen Lambda instance resumes, its timers
 * fire before it handles the next event, so that no connection from before the freeze is reused.
 */
const IDLE_MS = 4000;

/** Idle connections do not keep the process alive. */
const keepAliveAgents = (rules: ConnectionRules): Agents =>
  agents(rules, { keepAlive: true, maxSockets: 64, maxFreeSockets: 16, timeout: IDLE_MS });

export const freshAgents = (rules: ConnectionRules): Agents => agents(rules, { keepAlive: false });

/** Closes idle connections; those in use close themselves when they have been idle. */
const closeIdle = ({ http, https }: Agents): void => {
  for (const agent of [http, https]) {
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  }
};

export const agents = (rules: ConnectionRules, options: AgentOptions): Agents => ({
  http: guarded(rules, new HttpAgent(options), 'connect'),
  // Explicit, so that `NODE_TLS_REJECT_UNAUTHORIZED` cannot turn it off.
  https: guarded(
    rules,
    new HttpsAgent({ ...options, ...identified(rules), rejectUnauthorized: true }),
    'secureConnect',
  ),
});

/** Cached, since parsing all public authorities takes longer than a handshake. */
const contexts = new LRUCache<string, SecureContext>({ max: 64 });

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
  // Includes authorities that the machine's owner has added.
  const ca = [...getCACertificates('default'), ...trusted];
  const secureContext = createSecureContext({ ca, ...shown });
  contexts.set(key, secureContext);
  return { secureContext };
};

/**
 * Makes an agent check every address that it connects to. A name is resolved once, all its addresses are checked, and
 * the connection goes to these: a second resolution could give others (DNS rebinding).
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
    // Node does not call `lookup` for IP addresses.
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

/** Checks all addresses of an answer; a single refused one refuses the host. */
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

/** Deployments with kept-alive connections; the least recently used lose theirs. */
const MAX_POOLS = 256;

interface AgentPool {
  /** Per deployment and certificates, so that no two deployments ever share a connection. */
  of(deploymentId: string, certificates?: Certificates): Agents;
  /** Ends all connections, also those in use. */
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

export interface Hop {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly headerLines?: HeaderLines;
  readonly body?: string | Uint8Array;
}

/** @throws NoAnswer `invalid_request` */
export const firstHop = (request: TargetRequest): Hop => {
  const { url: text, method, headers, headerLines, body } = request;
  const url = URL.parse(text);
  if (!url) throw new NoAnswer('invalid_request', 'the URL is not valid');
  if (isHeadTooLarge({ ...request, url: url.href })) {
    throw new NoAnswer('invalid_request', `${url.origin}: URL and headers are too large`);
  }
  return {
    method,
    url,
    headers,
    ...(headerLines && { headerLines }),
    ...(body !== undefined && { body }),
  };
};

/**
 * The request's headers and defaults for missing ones. Headers that frame messages and connections are left to Node:
 * a caller could otherwise smuggle requests.
 */
const headersOf = ({ headers, headerLines = {}, body }: Hop): OutgoingHttpHeaders => ({
  accept: '*/*',
  'accept-encoding': ACCEPT_ENCODING,
  'user-agent': 'hosted-mcp',
  ...Object.fromEntries(
    [...Object.entries(headerLines), ...Object.entries(headers)].filter(
      ([name]) => !FRAMING.has(name),
    ),
  ),
  // Node writes none for methods that usually have no body; the server would read the body as a second request.
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
