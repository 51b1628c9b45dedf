/** The gateway's limits. Source: quotas of API Gateway HTTP APIs and of Lambda. */
export const MAX_HEAD_BYTES = 10_240;
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Lambda's limits on an event and on an answer. */
export const MAX_EVENT_BYTES = 6_291_456;
export const MAX_ANSWER_BYTES = 6_291_556;
export const INTEGRATION_TIMEOUT_MS = 30_000;
