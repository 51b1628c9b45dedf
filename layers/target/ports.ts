import type { Web } from './client/web.ts';
import type { OfferedNetwork } from './rules/network.ts';
import type { TargetApi } from './rules/web.ts';

/** What `target` lends to whoever asks for it by name. */
export interface TargetPorts {
  readonly targetApi: TargetApi;
  readonly web: Web;
}

/** What operators set of `target`. */
export interface TargetSettings {
  /** Private networks that deployments may be in; absent: none. Source: docs/networks.md. */
  readonly networks?: readonly OfferedNetwork[];
}
