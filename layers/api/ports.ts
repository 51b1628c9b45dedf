import type { IdempotencyRecords } from './store/idempotency-records.ts';

export interface ApiPorts {
  readonly idempotencyRecords: IdempotencyRecords;
}
