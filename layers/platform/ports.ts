import type { StoredTables } from './dynamodb/missing-tables.ts';
import type { Transactions } from './dynamodb/transact.ts';
import type { Log } from './rules/log.ts';
import type { ProtocolVersion } from './rules/protocol-versions.ts';
import type { TimeLeft } from './rules/time-left.ts';
import type { FailedWork } from './sqs/failed-work.ts';
import type { Clock, Pause } from './system/clock.ts';
import type { RegistrableDomains } from './system/public-suffixes.ts';
import type { Random } from './system/random.ts';

/** Ports that a step or route requires; for `typeof one | typeof other`, those of both. */
export type PortsOf<Step> = [Step] extends [(ports: infer Ports, ...rest: never) => unknown]
  ? Ports
  : never;

export interface PlatformPorts {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly timeLeft: TimeLeft;
  readonly random: Random;
  readonly transactions: Transactions;
  readonly failedWork: FailedWork;
  readonly registrableDomains: RegistrableDomains;
  readonly storedTables: StoredTables;
  readonly log: Log;
}

export interface PlatformSettings {
  /** Ends in `/v1`, without a trailing slash. Source: docs/decisions/mcp.md, "Base URL". */
  readonly baseUrl: string;
  /** MCP versions that are served; absent: all. */
  readonly protocolVersions?: readonly ProtocolVersion[];
  /** Accepted secrets of CloudFront; absent: there is no distribution. Source: docs/edge.md, "The origin secret". */
  readonly originSecrets?: readonly string[];
}
