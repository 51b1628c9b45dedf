import { Fault } from '../fault.ts';
import type { Measured, MetricName } from './metrics.ts';
import { routeKind } from './route-kind.ts';

type LogRecord = Readonly<Record<string, unknown>>;

/** Values of dimensions come from closed lists: CloudWatch charges for each, and strangers must not create any. */
export const measuredIn = (record: LogRecord): readonly Measured[] => {
  const kind = record['message'] ?? record['event'] ?? record['type'];
  const read = typeof kind === 'string' && Object.hasOwn(LINES, kind) ? LINES[kind] : undefined;
  return read?.(record) ?? [];
};

const LINES: Readonly<Record<string, (record: LogRecord) => readonly Measured[]>> = {
  request: (record) => [
    {
      dimensions: { Route: routeKind(record['route']) },
      values: {
        Latency: numberIn(record, 'duration_ms'),
        Faults: Number(numberIn(record, 'status') >= 500),
      },
    },
    ...failureIn(record),
    ...(record['events_lost'] === true ? [one('EventsLost')] : []),
  ],
  invocation_failed: (record) => failureIn(record),
  not_swept: ({ error }) => refusalsOfAws(error instanceof Fault ? error.message : undefined),
  events_lost: () => [one('EventsLost')],
  account_locked: () => [one('AccountLocks')],
  break_glass_used: () => [one('BreakGlassUses')],
  ip_blocked: () => [one('AddressBlocks')],
  company_check_failed: () => [one('CompanyCheckFailures')],
  credential_access: (record) => [
    {
      dimensions: { Outcome: String(record['outcome']) },
      // Connections depend on token endpoints of others, whose latency is not ours; so they have a metric of their own.
      values: {
        [record['kind'] === undefined ? 'CredentialRetrieval' : 'ConnectionRetrieval']: numberIn(
          record,
          'duration_ms',
        ),
      },
    },
    ...refusalsOfAws(record['why']),
  ],
  stale_credential_used: (record) => [one('StaleCredentials'), ...refusalsOfAws(record['why'])],
  mail: (record) => [one('Mails', { Outcome: String(record['outcome']) })],
  mail_feedback: (record) => [
    { dimensions: {}, values: { MailsReturned: numberIn(record, 'recorded') } },
  ],
  swept: (record) => [
    {
      dimensions: {},
      values: {
        SweepRounds: Number(record['complete'] === true),
        SweepFailures: numberIn(record, 'failed'),
      },
    },
  ],
};

const failureIn = ({ outcome, neighbour, fault }: LogRecord): readonly Measured[] => {
  if (outcome === 'bug') return [one('Bugs')];
  if (outcome !== 'fault') return [];
  return [one('NeighbourFaults', { Neighbour: String(neighbour) }), ...refusalsOfAws(fault)];
};

/** Message of a fault of an AWS service: its name, a colon, the error's name. No other text has this form. */
const OF_AWS = /^(?:dynamodb|s3|kms|secrets-manager|ses|lambda): ([\w.]+)$/;

const refusalsOfAws = (fault: unknown): readonly Measured[] => {
  const [, error = ''] = typeof fault === 'string' ? (OF_AWS.exec(fault) ?? []) : [];
  if (/^(?:KMS)?AccessDenied/.test(error)) return [one('AwsDenials')];
  const isThrottle = /throttl|toomanyrequests|limitexceeded|throughputexceeded|slowdown/i;
  return isThrottle.test(error) ? [one('AwsThrottles')] : [];
};

const one = (name: MetricName, dimensions: Measured['dimensions'] = {}): Measured => ({
  dimensions,
  values: { [name]: 1 },
});

const numberIn = (record: LogRecord, name: string): number => {
  const value = record[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
};
