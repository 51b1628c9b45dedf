import type { PlatformPorts } from '../platform/ports.ts';
import type { Web } from './client/web.ts';
import type { OfferedNetwork } from './rules/network.ts';
import type { TargetApi } from './rules/web.ts';

export interface TargetPorts extends PlatformPorts {
  readonly targetApi: TargetApi;
  readonly web: Web;
}

export interface TargetSettings {
  /** Private networks that deployments may be in. Source: docs/networks.md. */
  readonly networks?: readonly OfferedNetwork[];
  /** Whether APIs on the service's own machine may be called: in the local run only. */
  readonly reachesLoopback?: boolean;
}
