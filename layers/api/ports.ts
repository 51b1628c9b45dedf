import type { IdempotencyRecords } from './store/idempotency-records.ts';

/** What `api` lends to whoever asks for it by name. */
export interface ApiPorts {
  readonly idempotencyRecords: IdempotencyRecords;
}
