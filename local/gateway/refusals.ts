/** What the gateway answers by itself, when no function is asked or none gives a usable answer. */
export type GatewayRefusal = keyof typeof REFUSALS;

/** Source: the answers of API Gateway HTTP APIs; `foreignHost` is the local run's own (T7). */
export const REFUSALS = {
  malformed: { status: 400, message: 'Bad Request' },
  foreignHost: {
    status: 403,
    message: 'Forbidden: this service runs on loopback and answers only to its own host and port.',
  },
  notFound: { status: 404, message: 'Not Found' },
  slowRequest: { status: 408, message: 'Request Timeout' },
  tooLarge: { status: 413, message: 'Request Entity Too Large' },
  headTooLarge: { status: 431, message: 'Request Header Fields Too Large' },
  functionFailed: { status: 500, message: 'Internal Server Error' },
  integrationTimeout: { status: 503, message: 'Service Unavailable' },
} as const;

/** The gateway's limits. Source: quotas of API Gateway HTTP APIs and of Lambda. */
export const MAX_HEAD_BYTES = 10_240;
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** What Lambda takes as an event, and what it lets a function answer. */
export const MAX_EVENT_BYTES = 6_291_456;
export const MAX_ANSWER_BYTES = 6_291_556;
export const INTEGRATION_TIMEOUT_MS = 30_000;
