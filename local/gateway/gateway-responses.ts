import { STATUS_CODES } from 'node:http';
import type { HttpAnswer } from './answer.ts';

interface GatewayResponse {
  readonly status: number;
  readonly message?: string;
}

/** Source: the answers of API Gateway HTTP APIs; `foreignHost` is the local run's own. */
const RESPONSES = {
  malformed: { status: 400 },
  foreignHost: {
    status: 403,
    message: 'Forbidden: this service runs on loopback and answers only to its own host and port.',
  },
  notFound: { status: 404 },
  slowRequest: { status: 408 },
  tooLarge: { status: 413, message: 'Request Entity Too Large' },
  throttled: { status: 429 },
  headTooLarge: { status: 431 },
  functionFailed: { status: 500 },
  integrationTimeout: { status: 503 },
} as const satisfies Readonly<Record<string, GatewayResponse>>;

export type GatewayResponseKind = keyof typeof RESPONSES;

export const gatewayResponse = (kind: GatewayResponseKind): HttpAnswer => {
  const { status, message = STATUS_CODES[status] }: GatewayResponse = RESPONSES[kind];
  return {
    status,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ message })),
  };
};
