import type { IdentityPorts } from '../identity/ports.ts';
import type { ContentsPorts } from '../contents/ports.ts';
import type { ServersPorts } from '../servers/ports.ts';
import type { Inventories } from './store/inventories.ts';
import type { Persons } from './store/persons.ts';
import type { StoredRows } from './store/stored-rows.ts';
import type { SweepProgress } from './store/sweep-progress.ts';
import type { WatchedDeployments } from './store/watched-deployments.ts';

export interface MaintenancePorts extends ContentsPorts, IdentityPorts, ServersPorts {
  readonly sweepProgress: SweepProgress;
  readonly storedRows: StoredRows;
  readonly persons: Persons;
  readonly inventories: Inventories;
  readonly watchedDeployments: WatchedDeployments;
}
