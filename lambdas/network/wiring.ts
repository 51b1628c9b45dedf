import type { ReadersOf } from '../../lib/stage/variables.ts';
import { getServers } from 'node:dns';
import * as z from 'zod/mini';
import { readLimits } from '../../layers/limits/rules/limits.ts';
import { embeddedMetrics } from '../../layers/platform/log/embedded-metrics.ts';
import { reportFailures, stdoutLog } from '../../layers/platform/log/stdout-log.ts';
import { invocationTime, systemClock } from '../../layers/platform/system/clock.ts';
import type { Lookup } from '../../layers/target/client/exchange.ts';
import { targetApi } from '../../layers/target/client/target-api.ts';
import { MOST_ANSWER_BYTES } from '../../layers/target/rules/network-call.ts';
import { readNetwork } from '../../layers/target/rules/network.ts';
import type { TargetPolicy } from '../../layers/target/rules/target.ts';
import { type Environment, readBy, readEnvironment, text } from '../wiring/environment.ts';

export interface NetworkOptions {
  /** Loopback of the local run and tests alone, where the network's ranges have such addresses. */
  readonly targets?: Pick<TargetPolicy, 'loopback'>;
  readonly lookup?: Lookup;
}

/** The function gets no table, key or AWS credential, only what requests to targets need. */
const variables = {
  NETWORK: readBy(readNetwork),
  METRICS_NAMESPACE: z.optional(text),
};

const readers = { limits: readLimits } satisfies ReadersOf<'network'>;

export const wireNetwork = (given: Environment, { targets, lookup }: NetworkOptions = {}) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const { NETWORK, METRICS_NAMESPACE } = environment;
  const { limits } = settings;
  const metrics = METRICS_NAMESPACE === undefined ? undefined : embeddedMetrics(METRICS_NAMESPACE);
  const log = stdoutLog(systemClock(), process.stdout, metrics);
  const timeLeft = reportFailures(invocationTime(), log);
  const policy = { ...targets, network: { ...NETWORK, exceptAddresses: resolvers() } };
  const fitting = (bytes: number) => Math.min(bytes, MOST_ANSWER_BYTES);
  return {
    timeLeft,
    targetApi: targetApi({
      policy,
      timeLeft,
      timeoutSeconds: limits.target_timeout_seconds,
      maxBytes: fitting(limits.target_response_max_bytes),
      readOnBytes: fitting(limits.kept_answer_max_bytes),
      ...(lookup && { lookup }),
    }),
  };
};

/** Addresses of the DNS resolvers; `getServers` adds ports other than 53. */
const resolvers = (): readonly string[] =>
  getServers().map((one) =>
    one.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1'),
  );
