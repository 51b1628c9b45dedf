import type { IdempotencyRecords } from './store/idempotency-records.ts';

/** Stores and clients of `api`, by the names under which steps take them. */
export interface ApiPorts {
  readonly idempotencyRecords: IdempotencyRecords;
}
