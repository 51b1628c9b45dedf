import type { DeploymentsPorts } from '../deployments/ports.ts';
import type { EventsPorts } from '../events/ports.ts';
import type { LimitsPorts } from '../limits/ports.ts';
import type { IdempotencyRecords } from './store/idempotency-records.ts';

export interface ApiPorts extends DeploymentsPorts, EventsPorts, LimitsPorts {
  readonly idempotencyRecords: IdempotencyRecords;
}
