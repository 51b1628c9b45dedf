import type { PlatformPorts } from '../platform/ports.ts';
import type { Web } from './client/web.ts';
import type { OfferedNetwork } from './rules/network.ts';
import type { TargetApi } from './rules/web.ts';

export interface TargetPorts extends PlatformPorts {
  readonly targetApi: TargetApi;
  readonly web: Web;
}

/** Settings of operators that `target` is about. */
export interface TargetSettings {
  /** Private networks that deployments may be in; absent: none. Source: docs/networks.md. */
  readonly networks?: readonly OfferedNetwork[];
  /** Whether APIs on the machine of the service can be called: in a local run. */
  readonly reachesLoopback?: boolean;
}
