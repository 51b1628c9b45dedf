import type { PlatformPorts } from '../platform/ports.ts';
import type { LimitValues } from './rules/limits.ts';
import type { Counters } from './store/counters.ts';
import type { Leases } from './store/leases.ts';
import type { PublicRequestBlocks } from './store/public-request-blocks.ts';
import type { PublicRequests } from './store/public-requests.ts';
import type { Usage } from './store/usage.ts';

export interface LimitsPorts extends PlatformPorts {
  readonly counters: Counters;
  readonly leases: Leases;
  readonly usage: Usage;
  readonly publicRequests: PublicRequests;
  readonly publicRequestBlocks: PublicRequestBlocks;
}

export interface LimitsSettings {
  readonly limits: LimitValues;
}
