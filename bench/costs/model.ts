import { functions } from '../../lambdas/manifest.ts';
import type { ACCESS_LOG_LINE } from '../../lib/api.ts';
import { CALLS_PER_EVENT, type MeasuredCall } from './measured.ts';
import { type PriceName, priceOf } from './prices.ts';

/** What a recording holds. */
export interface Measured {
  readonly call: MeasuredCall;
  /** Milliseconds of processor time of the router for a call: `npm run bench -- router-time`. */
  readonly routerCpuMs: number;
}

/** What a call is like. */
export interface Situation {
  readonly targetMs: number;
  readonly routerMemoryMb: number;
  readonly metrics: boolean;
  /** Whether the router's instances are kept ready. */
  readonly provisioned?: boolean;
}

/** A part of what a million calls cost. */
export interface Part {
  readonly what: string;
  readonly quantity: number;
  readonly price: PriceName;
  /** Of a million calls. */
  readonly dollars: number;
}

/** From this much on a function has a processor of its own. Source: AWS Lambda, "Configure Lambda function memory". */
const MB_OF_A_PROCESSOR = 1769;
/** Milliseconds that a trip to DynamoDB in the same region takes, about; there are two, one after the other. */
const TRIP_MS = 4;
/** What the gateway's line of a call says. Source: API Gateway Developer Guide, "Logging variables for HTTP APIs". */
const GATEWAY_LINE: Readonly<Record<keyof typeof ACCESS_LOG_LINE, string>> = {
  requestId: 'Jq1hYiP3oAMEMdA=',
  ip: '198.51.100.200',
  method: 'POST',
  route: 'ANY /v1/mcp-router/{slug}/messages',
  status: '200',
  integrationStatus: '200',
  bytes: '1200',
  latencyMs: '320',
  integrationError: '-',
};
/** CloudWatch Logs counts 26 bytes more for each event. Lambda writes lines of its own for failures alone. */
export const GATEWAY_LINE_BYTES = JSON.stringify(GATEWAY_LINE).length + 26;
/** Bytes that leave for the target API: a request with its headers, and what TLS adds. */
const TARGET_REQUEST_BYTES = 500;
/** Milliseconds that `activity` takes for an event, about. */
const ACTIVITY_MS = 15;
export const ACTIVITY_GB_SECONDS = (ACTIVITY_MS / 1000) * (functions.activity.memoryMb / 1024);
const GB = 1e9;
const MILLION = 1e6;

/** How long Lambda charges the router for a call, in milliseconds. */
export const routerMs = (
  { call, routerCpuMs }: Measured,
  { targetMs, routerMemoryMb }: Situation,
): number => {
  const trips = Object.values(call.router).reduce((sum, times) => sum + times, 0);
  const share = Math.min(1, routerMemoryMb / MB_OF_A_PROCESSOR);
  return Math.ceil(targetMs + routerCpuMs / share + trips * TRIP_MS);
};

/** What a million warm calls of a tool cost, part by part. */
export const partsOf = (measured: Measured, situation: Situation): readonly Part[] => {
  const { call } = measured;
  const { GetItem = 0, UpdateItem = 0 } = call.router;
  const gbSeconds = (routerMs(measured, situation) / 1000) * (situation.routerMemoryMb / 1024);
  const { activityUnits: units } = call;
  const lines = call.logBytes + GATEWAY_LINE_BYTES;
  const duration = situation.provisioned ? 'provisionedDurationGbSecond' : 'gbSecond';
  const perCall: readonly (readonly [string, number, PriceName])[] = [
    ['the gateway', 1, 'gatewayRequest'],
    ['the router, invoked', 1, 'invocation'],
    ['the router, while it waits and works', gbSeconds, duration],
    ['reading the token', GetItem, 'readUnit'],
    ['counting the call', UpdateItem, 'writeUnit'],
    ['counting calls that are kept', units.read / CALLS_PER_EVENT, 'readUnit'],
    ['keeping the call, and its counts', units.written / CALLS_PER_EVENT, 'writeUnit'],
    ['`activity`, invoked', 1 / CALLS_PER_EVENT, 'invocation'],
    ['`activity`, while it works', ACTIVITY_GB_SECONDS / CALLS_PER_EVENT, 'gbSecond'],
    ['log lines', lines / GB, 'logGb'],
    ...(situation.metrics ? [['metrics in them', call.metricBytes / GB, 'logGb'] as const] : []),
    [
      'the answer, and the request to the target',
      (call.answerBytes + TARGET_REQUEST_BYTES) / GB,
      'gbOut',
    ],
  ];
  return perCall.map(([what, each, price]) => ({
    what,
    quantity: each * MILLION,
    price,
    dollars: each * MILLION * priceOf(price),
  }));
};

export const sumOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { dollars }) => sum + dollars, 0);

/** The part that costs most. */
export const largestOf = (parts: readonly Part[]): Part =>
  parts.reduce((one, other) => (other.dollars > one.dollars ? other : one));
