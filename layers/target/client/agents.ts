import { lookup as resolve, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { NoAnswer, type TargetPolicy } from '../rules/target.ts';
import { checkDestination } from './guard.ts';

/** What connections obey. */
export interface ConnectionRules {
  readonly policy: TargetPolicy;
  /** From the first DNS query to the end of the TLS handshake. */
  readonly connectTimeoutSeconds: number;
}

/** Node's connection pools, one for each scheme. */
export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/**
 * Below the 5 s after which many servers close idle connections. After a freeze of the Lambda instance, timers fire
 * before its next event is read, so that no connection from before the freeze is used again.
 */
const IDLE_MS = 4000;

/** Connections that are kept for the next request; while idle they do not keep the process alive. */
export const keepAliveAgents = (rules: ConnectionRules): Agents =>
  agents(rules, { keepAlive: true, maxSockets: 64, maxFreeSockets: 16, timeout: IDLE_MS });

/** A connection of its own for every request. */
export const freshAgents = (rules: ConnectionRules): Agents => agents(rules, { keepAlive: false });

/** Closes what no request is using; the rest follows by itself once it has been idle. */
export const closeIdle = ({ http, https }: Agents): void => {
  for (const agent of [http, https]) {
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  }
};

const agents = (rules: ConnectionRules, options: AgentOptions): Agents => ({
  http: guarded(rules, new HttpAgent(options), 'connect'),
  // Said aloud, so that no environment variable can turn it off.
  https: guarded(rules, new HttpsAgent({ ...options, rejectUnauthorized: true }), 'secureConnect'),
});

/**
 * Makes an agent check every address that it connects to. Names are resolved once, all their addresses are checked,
 * and the connection goes to those very addresses: there is no second resolution that could answer otherwise.
 */
const guarded = <A extends HttpAgent>(
  { policy, connectTimeoutSeconds }: ConnectionRules,
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
    const pinned = { ...options, lookup: checkedLookup(check), autoSelectFamily: true };
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
  (check: (address: string) => void): LookupFunction =>
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
