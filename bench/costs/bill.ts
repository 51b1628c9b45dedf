import { functions, networkFunction } from '../../lambdas/manifest.ts';
import {
  type Line,
  lineOf,
  millionOf,
  isKeeping,
  partsOf,
  routerMs,
  sumOf,
  USUAL,
} from './model.ts';
import { priceOf } from './prices.ts';
import type { Recording } from './recording.ts';

/** Months of a stage in production. */
export const MONTHS = [
  { name: '1 million', millionCalls: 1, people: 100, deployments: 20 },
  { name: '10 million', millionCalls: 10, people: 1000, deployments: 100 },
  { name: '100 million', millionCalls: 100, people: 10_000, deployments: 1000 },
  { name: '100 a second', millionCalls: 262.8, people: 20_000, deployments: 2000 },
] as const;

/** What nobody has measured, for who reads the bill. */
export const ASSUMED = {
  /** Account, grants, tokens and security events, with their indexes. */
  kbOfAPerson: 50,
  /** Rows, contents and ten versions of the tools. */
  kbOfADeployment: 500,
  /** Descriptions and what replaced them in the last 35 days. */
  mbOfFiles: 2,
  /** What logs take of what was sent: CloudWatch packs them. */
  packedLogs: 0.2,
  mailsOfAPerson: 1,
} as const;

/** Days that calls and logs are kept, in months: `log_retention_days`. */
const KEPT_MONTHS = 90 / 30.4;
/** Whole copies of a table: of nights, and of months. Source: docs/restore.md. */
const NIGHTS = 35;
const MONTHLY = 12;
const HOURS = 730;
/** A walk in five minutes, of four requests. */
const CANARY_WALKS = HOURS * 12;
const CANARY_REQUESTS = CANARY_WALKS * 4;
/** Each minute; marks of two minutes for charts, which cost half, and of two for good, each in sixteen parts. */
const TALLY_RUNS = HOURS * 60;
const TALLY_UNITS = 16 * (2 * 0.5 + 2) + 2;
/** A tenth of a second, about: the queries are under way at once. */
const TALLY_GB_SECONDS = (0.1 * functions.tally.memoryMb) / 1024;
/** Lambda keeps five long polls of 20 seconds at a queue. Source: AWS Lambda, "Using Lambda with Amazon SQS". */
const POLLS = HOURS * 180 * 5;
/** Functions times the tables that they use: each asks for a table's key once in five minutes at most. */
const KEY_REQUESTS = HOURS * 12 * 30;

/** What a stage costs whether or not it is called: as `prod.json` has it, with a canary. */
export const stageBill = (recording: Recording): readonly Line[] => {
  const { keyMonth = 0, alarmMonth = 0, metricMonth = 0, dashboardMonth = 0 } = recording.stage;
  return [
    lineOf('keys: data, credentials, and two pairs that sign', keyMonth, 'keyMonth'),
    lineOf('metrics in alarms', alarmMonth, 'alarmMonth'),
    lineOf('metrics of ours, at most', metricMonth, 'metricMonth'),
    lineOf('the dashboard', dashboardMonth, 'dashboardMonth'),
    {
      what: 'requests of the canary, as if all were calls of tools',
      quantity: CANARY_REQUESTS,
      dollars: (CANARY_REQUESTS * millionOf(recording)) / 1e6,
    },
    lineOf('the canary, GB-s', Math.round(CANARY_WALKS * 2 * 0.125), 'gbSecond'),
    lineOf('runs of the tally that find nothing, units read', TALLY_RUNS * TALLY_UNITS, 'readUnit'),
    lineOf('the same, GB-s', Math.round(TALLY_RUNS * TALLY_GB_SECONDS), 'gbSecond'),
    lineOf('polls of the queue of unstored calls', POLLS, 'queueRequest'),
    lineOf('keys of tables asked for, at most', KEY_REQUESTS, 'keyRequest'),
  ];
};

/** The whole bill of a month, once calls have been kept for `log_retention_days`. */
export const monthBill = (
  recording: Recording,
  { millionCalls, people, deployments }: (typeof MONTHS)[number],
): { readonly lines: readonly Line[]; readonly kept: number } => {
  const parts = partsOf(recording);
  const ofLogs = parts.filter(({ price }) => price === 'logGb');
  const logGb = ofLogs.reduce((sum, { quantity }) => sum + quantity * millionCalls, 0);
  const peopleGb = (people * ASSUMED.kbOfAPerson) / 1e6;
  const deploymentsGb = (deployments * ASSUMED.kbOfADeployment) / 1e6;
  const tablesGb = peopleGb + deploymentsGb;
  const backupsGb = peopleGb * NIGHTS + deploymentsGb * (NIGHTS + MONTHLY);
  const filesGb = (deployments * ASSUMED.mbOfFiles) / 1e3;
  const callsGb = (recording.call.storedBytes * millionCalls * 1e6 * KEPT_MONTHS) / 1e9;
  const stored = [
    lineOf('calls kept, GB', callsGb, 'tableGbMonth'),
    lineOf('log lines kept, GB', logGb * KEPT_MONTHS * ASSUMED.packedLogs, 'logGbMonth'),
    lineOf('tables of people and deployments, GB', tablesGb, 'tableGbMonth'),
    lineOf('their point-in-time recovery, GB', tablesGb, 'recoveryGbMonth'),
    lineOf('backups of tables, GB', backupsGb, 'backupGbMonth'),
    lineOf('files, GB', filesGb, 'fileGbMonth'),
    // Those of nights share what has not changed, and so do those of months.
    lineOf('backups of files, GB', filesGb * 2, 'fileBackupGbMonth'),
  ];
  const lines = [
    { what: 'calls', quantity: millionCalls * 1e6, dollars: sumOf(parts) * millionCalls },
    { what: 'the stage', quantity: 1, dollars: sumOf(stageBill(recording)) },
    ...stored,
    lineOf('mails', people * ASSUMED.mailsOfAPerson, 'mail'),
  ];
  return { lines, kept: sumOf(stored) + sumOf(parts.filter(isKeeping)) * millionCalls };
};

/** Milliseconds that an invocation takes beside what the function does, about. */
export const WAY_MS = 10;

/** What a million calls cost more in a private network. */
export const networkBill = () => {
  const gb = networkFunction.memoryMb / 1024;
  const time = (ms: number, memoryGb: number) => ms * 1e3 * memoryGb * priceOf('gbSecond');
  const invoked = 1e6 * priceOf('invocation');
  const way = time(WAY_MS, gb + USUAL.routerMemoryMb / 1024);
  return { invoked, way, own: invoked + way, waiting: time(USUAL.targetMs, gb) };
};

/** What a month of an instance costs that is kept started. */
export const provisionedMonth = (memoryMb: number): number =>
  HOURS * 3600 * (memoryMb / 1024) * priceOf('provisionedGbSecond');

/** What a million calls cost that come evenly, in as many provisioned instances as that takes. */
export const steadyCost = (recording: Recording, rate: number) => {
  const instances = Math.ceil((rate * routerMs(recording)) / 1000);
  const millions = (rate * HOURS * 3600) / 1e6;
  const million =
    millionOf(recording, { provisioned: true }) +
    (instances * provisionedMonth(USUAL.routerMemoryMb)) / millions;
  return { instances, million };
};

/** What the team pays for a way out of its own: a NAT gateway with an address in each of two zones. */
export const egressBill = (recording: Recording) => ({
  month: 2 * HOURS * (priceOf('natHour') + priceOf('addressHour')),
  million: partsOf(recording)
    .filter(({ price }) => price === 'gbOut')
    .reduce((sum, { quantity }) => sum + quantity * priceOf('natGb'), 0),
});

/** What `edge` adds for a million requests. */
export const edgeMillion = (): number =>
  1e6 * (priceOf('aclRequest') + priceOf('edgeRequest') + priceOf('edgeFunction'));

/** Firehose charges for each record as for so many bytes, or a multiple. Source: Amazon Data Firehose, "Pricing". */
const RECORD_BYTES = 5000;

/**
 * What `stream` adds for a million calls, with a bucket of the stack.
 *
 * @param callsInEvent - whose lines CloudWatch Logs sends in one record; of a lone call the end comes in another one than
 *   the beginning
 */
export const streamBill = ({ call }: Recording, callsInEvent: number) => {
  const records = callsInEvent === 1 ? 2 : 1;
  const packed = (call.callBytes * callsInEvent * ASSUMED.packedLogs) / records;
  const charged = records * Math.ceil(packed / RECORD_BYTES) * RECORD_BYTES;
  const gb = ((1e6 / callsInEvent) * charged) / 1e9;
  const linesGb = (call.callBytes * 1e6) / 1e9;
  return {
    million: gb * priceOf('streamGb') + linesGb * priceOf('unpackedGb'),
    /** Of the files of a million calls, for each month that they are stored. */
    kept: linesGb * ASSUMED.packedLogs * priceOf('fileGbMonth'),
  };
};
