import { functions } from '../../lambdas/manifest.ts';
import type { ACCESS_LOG_LINE } from '../../lib/api.ts';
import type { CallUnits } from '../calls.ts';
import { CALLS_PER_EVENT } from './measured.ts';
import { type PriceName, priceOf } from './prices.ts';
import type { Recording } from './recording.ts';

/** What a call is like. */
export interface Situation {
  readonly targetMs: number;
  readonly routerMemoryMb: number;
  readonly metrics: boolean;
  /** Whether the router's instances are kept ready. */
  readonly provisioned: boolean;
}

export const USUAL: Situation = {
  targetMs: 300,
  routerMemoryMb: functions.router.memoryMb,
  metrics: true,
  provisioned: false,
};

/** A line of a bill. */
export interface Line {
  readonly what: string;
  readonly quantity: number;
  readonly dollars: number;
}

/** A line of what has one price. */
export interface Part extends Line {
  readonly price: PriceName;
}

export const lineOf = (what: string, quantity: number, price: PriceName): Part => ({
  what,
  quantity,
  price,
  dollars: quantity * priceOf(price),
});

export const sumOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { dollars }) => sum + dollars, 0);

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

/** How long Lambda charges the router for a call, in milliseconds. */
export const routerMs = (
  { call, routerCpuMs }: Recording,
  over: Partial<Situation> = {},
): number => {
  const { targetMs, routerMemoryMb } = { ...USUAL, ...over };
  const trips = Object.values(call.router).reduce((sum, times) => sum + times, 0);
  const share = Math.min(1, routerMemoryMb / MB_OF_A_PROCESSOR);
  return Math.ceil(targetMs + routerCpuMs / share + trips * TRIP_MS);
};

/** What a million warm calls of a tool cost, part by part, where they are other than usual. */
export const partsOf = (recording: Recording, over: Partial<Situation> = {}): readonly Part[] => {
  const { call } = recording;
  const { routerMemoryMb, metrics, provisioned } = { ...USUAL, ...over };
  const { GetItem = 0, UpdateItem = 0 } = call.router;
  const { read, written } = call.activityUnits;
  const gbSeconds = (routerMs(recording, over) / 1000) * (routerMemoryMb / 1024);
  const waiting = provisioned ? 'provisionedDurationGbSecond' : 'gbSecond';
  const lines = call.logBytes + GATEWAY_LINE_BYTES;
  const sent = call.answerBytes + TARGET_REQUEST_BYTES;
  const of = (what: string, ofACall: number, price: PriceName) =>
    lineOf(what, ofACall * 1e6, price);
  return [
    of('the gateway', 1, 'gatewayRequest'),
    of('the router, invoked', 1, 'invocation'),
    of('the router, while it waits and works', gbSeconds, waiting),
    of('reading the token', GetItem, 'readUnit'),
    of('counting the call', UpdateItem, 'writeUnit'),
    of('counting calls that are kept', read / CALLS_PER_EVENT, 'readUnit'),
    of('keeping the call, and its counts', written / CALLS_PER_EVENT, 'writeUnit'),
    of('`activity`, invoked', 1 / CALLS_PER_EVENT, 'invocation'),
    of('`activity`, while it works', ACTIVITY_GB_SECONDS / CALLS_PER_EVENT, 'gbSecond'),
    of('log lines', lines / 1e9, 'logGb'),
    ...(metrics ? [of('metrics in them', call.metricBytes / 1e9, 'logGb')] : []),
    of('the answer, and the request to the target', sent / 1e9, 'gbOut'),
  ];
};

/** Dollars for a million calls, of it what keeping and counting them takes where they come as often as that. */
export const costAt = (
  recording: Recording,
  { perEvent, written, read }: CallUnits,
): { readonly keeping: number; readonly together: number } => {
  const of = (ofACall: number, price: PriceName) => ofACall * 1e6 * priceOf(price);
  const event = of(1 / perEvent, 'invocation') + of(ACTIVITY_GB_SECONDS / perEvent, 'gbSecond');
  const keeping = of(written, 'writeUnit') + of(read, 'readUnit') + event;
  const others = partsOf(recording).filter((part) => !isKeeping(part));
  return { keeping, together: sumOf(others) + keeping };
};

/** Parts of a call that keep it for its owner. */
export const isKeeping = ({ what }: Pick<Part, 'what'>): boolean =>
  /kept|keeping|activity/.test(what);

/** What a million calls cost that are other than usual. */
export const millionOf = (recording: Recording, over: Partial<Situation> = {}): number =>
  sumOf(partsOf(recording, over));

/** The part that costs most. */
export const largestOf = (parts: readonly Part[]): Part =>
  parts.reduce((one, other) => (other.dollars > one.dollars ? other : one));
