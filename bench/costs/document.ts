import { type FunctionName, functions, networkFunction } from '../../lambdas/manifest.ts';
import {
  ASSUMED,
  monthBill,
  MONTHS,
  networkBill,
  provisionedMonth,
  stageBill,
  steadyCost,
  streamBill,
  WAY_MS,
} from './bill.ts';
import { type ActivityUnits, CALLS_PER_EVENT } from './measured.ts';
import {
  ACTIVITY_GB_SECONDS,
  costAt,
  GATEWAY_LINE_BYTES,
  largestOf,
  millionOf,
  type Part,
  partsOf,
  routerMs,
  type Situation,
  sumOf,
  USUAL,
} from './model.ts';
import { monthOf, optionRows } from './options.ts';
import { priceOf, PRICES } from './prices.ts';
import type { Recording } from './recording.ts';
import { RESOURCE_TYPES } from './resource-types.ts';

/** Calls a second, of a server that is always busy. */
const RATE = 100;

/** Each is added to those before it. */
const LEAN = [
  [
    'metrics.few',
    '`"metrics": "few"`, [eight alarms](operations.md#alarms) and no metrics of ours',
    1,
  ],
  ['releases', '`"releases": "all_at_once"`, which has no alarms of its own', -1],
  ['signing_keys', '`"signing_keys": [1]`, one pair of keys that sign in place of two', -1],
] as const;

/** `docs/costs.md`, whole. */
export const costsDocument = (recording: Recording): string => {
  const parts = partsOf(recording);
  const largest = largestOf(parts);
  const stage = stageBill(recording);
  const network = networkBill();
  const steady = steadyCost(recording, RATE);
  const withRoutes = Object.entries(functions).filter(([, { routes }]) => routes.length > 0);
  return `# Costs

\`npm run costs\` writes this page: what the embedded endpoints counted of one call on ${recording.day}, the memory of \`lambdas/manifest.ts\`, and [list prices](#prices) of ${PRICES.asOf}. A test counts again, and fails where the page is another. None of it was seen on a bill yet.

## What a call costs

A million warm calls of a tool, on a deployment of mode \`oauth\` whose target takes ${USUAL.targetMs} ms: **${dollars(sumOf(parts))}**. The largest part is **${largest.what}**, ${percent(largest.dollars / sumOf(parts))} of it: Lambda charges for ${routerMs(recording)} ms of ${USUAL.routerMemoryMb} MB, nearly all of which it waits for the target.

| | Of a million calls | |
|---|---:|---:|
${rows(parts, (part) => [part.what, quantityOf(part), dollars(part.dollars)])}
| **together** | | **${dollars(sumOf(parts))}** |

Counted: ${listOf(recording.call.router)} of the router; ${listOf(recording.call.activity)} of \`activity\` and ${listOf(recording.call.tally)} of \`tally\` for ${CALLS_PER_EVENT} calls, each of another person, which CloudWatch Logs brings at once where there are many (one by one, a million cost ${dollars(oneByOne(recording))} more; where the end of a call comes in a later event than its beginning, ${dollars(begun(recording))} more); ${recording.call.logBytes} bytes of lines, ${recording.call.metricBytes} more with metrics. Estimated: 4 ms for a trip to DynamoDB, ${recording.routerCpuMs.toFixed(1)} ms of processor time on a whole processor, of which ${USUAL.routerMemoryMb} MB are ${percent(USUAL.routerMemoryMb / 1769)}, and the line of the gateway. Left out: what a call with a credential asks the broker (once in five minutes for each instance); KMS for tables, storage and backups stand [below](#a-whole-month).

Where an owner has calls [recorded with their content](recordings.md), a million of 4 KB cost $1.91 more, $2.29 where each comes alone: log and table, as measured in November 2026.

## Other calls

| A million calls | |
|---|---:|
${rows(SITUATIONS, ([name, over]) => [name, dollars(millionOf(recording, over))])}

## By how often they come

The record of calls costs less for each call the more of them come together. Of a million calls, measured for seconds or minutes of each on a table in memory (\`npm run bench -- calls\`):

| | Units written and read, a call | Keeping and counting them | In all |
|---|---:|---:|---:|
${rows(recording.rates, (one) => {
  const { keeping, together } = costAt(recording, one);
  return [one.title, `${one.written} and ${one.read}`, dollars(keeping), dollars(together)];
})}

How many lines CloudWatch Logs delivers together is not documented. Towards the end of an hour more is read, since the sum of an hour reads its minutes. A second trail costs [what the stream does](#a-stream-of-calls-and-events).

## Private networks

A call in a [private network](networks.md) is made by another function, of ${networkFunction.memoryMb} MB, which the router invokes and waits for. Of a million calls, beside what stands above:

| | |
|---|---:|
| the function, invoked | ${dollars(network.invoked)} |
| it and the router, for the ${WAY_MS} ms that the way to it and back takes | ${dollars(network.way)} |
| **our own share** | **${dollars(network.own)}** |
| the function, while it waits for a target that takes ${USUAL.targetMs} ms | ${dollars(network.waiting)} |

The goal is $0.50 for our own share. The way is assumed: on one machine it took 3 ms in November 2026, and nobody has measured it on AWS. Each network has alarms of ${NETWORK_ALARM_METRICS} metrics, ${dollars(NETWORK_ALARM_METRICS * priceOf('alarmMonth'))} a month. Its network interfaces cost nothing, and it needs no NAT gateway; what leads further is paid for by itself: an endpoint of PrivateLink by the hour, the zone and the gigabyte, an attachment to a Transit Gateway, a VPN, traffic between zones.

## A stream of calls and events

With [\`stream\`](stream.md) into the own bucket, beside what stands above, for a million calls:

| Calls whose lines CloudWatch Logs sends at once | Firehose | Files, each month that they are kept |
|---|---:|---:|
${streamRows(recording)}

Firehose charges for a record of 5 KB at least, however few lines are in it: the busier a server is, the less a call costs. Of calls that come one by one, beginning and end are counted as a record each. A call has ${recording.call.callBytes} bytes of lines that go out. Subscription filters cost nothing. Without lines there are no records and no files. Each file is a request to S3 ($5 a million, one in five minutes), and with a key of the bucket few are requests to KMS. To a stream of yours it costs what that costs; a second trail in another account costs the same once more there.

## Below four and a half dollars

On demand a million calls cost ${dollars(sumOf(parts))}. At a steady ${RATE} a second ${steady.instances} instances of the router are busy all the time: with \`"provisioned_concurrency": {"router": ${steady.instances}}\` a million cost **${dollars(steady.million)}**, the instances included, and the goal of $4.50 for such a server is met. More could be saved, and is not:

- ${dollars(((GATEWAY_LINE_BYTES / 2) * priceOf('logGb')) / 1e3)}, if the gateway's lines were in the log class for infrequent access, which has no metric filters and no subscriptions.
- The token of each request is read strongly consistently, twice the price of another read: a token that was revoked ends at once.

## What a stage costs each month

As \`config/prod.json\` has it, with backups and with a canary, and nobody calls it:

| | Number | |
|---|---:|---:|
${rows(stage, (line) => [line.what, grouped(line.quantity), dollars(line.dollars)])}
| **together** | | **${dollars(sumOf(stage))}** |

Two of the keys rotate each year, and each of the first two rotations costs a dollar a month more for a key. With \`"metrics": false\` there are no metrics of ours, no filters, no dashboard and no alarms on them, and lines are no longer than before: switched off, they cost nothing. Metrics are charged for hours in which there were any.

What a stage may leave out that is to cost little, each beside those above it:

| | Together |
|---|---:|
${leanRows(recording)}

## What each option costs

What an option of [the stage's file](aws.md#configuration) adds to the bill of a stage without it, in dollars a month as long as nobody calls, and for a million calls of tools. What the templates have more is counted; a test counts again, and finds that options without a number there have nothing more.

| Option | Idle, a month | A million calls | |
|---|---:|---:|---|
${rows(optionRows(recording, dollars), (cells) => cells)}

## A whole month

With everything, once calls have been kept for 90 days (\`log_retention_days\`), when so many calls of tools come in a month:

| | ${MONTHS.map(({ name }) => name).join(' | ')} |
|---|${MONTHS.map(() => '---:|').join('')}
${monthRows(recording)}

Assumed, for nobody has measured it: ${ASSUMED.kbOfAPerson} KB of tables for a person (account, grants, tokens, security events, all with indexes), ${ASSUMED.kbOfADeployment} KB for a deployment (rows, contents, ten versions of its tools) and ${ASSUMED.mbOfFiles} MB of files, ${percent(ASSUMED.packedLogs)} of log lines after CloudWatch has packed them, ${ASSUMED.mailsOfAPerson} mail for a person. Measured: a kept call takes ${recording.call.storedBytes} bytes where ${CALLS_PER_EVENT} come in an event, and ${recording.call.storedBytesOfOne} where it comes alone. Calls and counters have no backup: ${dollars(backupOfCalls(recording))} more it would be, at 100 calls a second.

What a copy in another region costs (\`backup_copy_to\`) is there what backups cost here, and what AWS charges for carrying it.

To hear of a bill that is larger than you thought, write \`"budget": {"monthly_dollars": 100}\` into the stage's file: AWS then tells the topic of notices, of all that the account spends. Or ask AWS for a mail:

\`\`\`sh
aws budgets create-budget --account-id 111122223333 --budget '{"BudgetName": "hosted-mcp", "BudgetType": "COST", "TimeUnit": "MONTHLY", "BudgetLimit": {"Amount": "100", "Unit": "USD"}}' --notifications-with-subscribers '[{"Notification": {"NotificationType": "FORECASTED", "ComparisonOperator": "GREATER_THAN", "Threshold": 100}, "Subscribers": [{"SubscriptionType": "EMAIL", "Address": "you@company.example"}]}]'
\`\`\`

## What is billed

Each type of resource in the templates of all stages, and the row that it is in; a test compares.

| Resource | Row |
|---|---|
${rows(Object.entries(RESOURCE_TYPES), ([type, billed]) => [`\`${type}\``, 'free' in billed ? `free: ${billed.free}` : billed.join('; ')])}

## Traces

With \`"traces": "xray"\` each recorded trace costs nearly as much as the call itself; X-Ray records the first of each second and 5 percent of the others. Off, there is nothing of it.

## Memory

| Function | Given | Held at most | |
|---|---:|---:|---|
${memoryRows(recording)}

Measured with bundles as they are deployed, each in a process of its own, at its heaviest work (\`npm run bench -- memory\`: descriptions of 5 MB, lists of 478 tools and searches in them, more deployments than the router keeps, answers of 4 MB, sign-ins, an event of 2,000 calls), with the heap that AWS has Node use of that memory: of more it takes more before it collects. AWS's runtime adds some megabytes. A function has as much of a processor as it has of 1,769 MB.

## Provisioned concurrency

\`"provisioned_concurrency": {"router": 5}\` keeps five instances of the router started, for those who cannot wait for a start. Off by default. Each instance costs a month:

| Function | |
|---|---:|
${rows(withRoutes, ([name, { memoryMb }]) => [`${name}, ${memoryMb} MB`, dollars(provisionedMonth(memoryMb))])}

Calls in them cost less (${dollars(millionOf(recording, { provisioned: true }))} a million), which pays an instance of the router from ${breakEven(recording)} calls a month on.

## Prices

In ${PRICES.region}, US dollars, without free tiers and discounts, as of ${PRICES.asOf}. Other regions have prices of their own, part by part: in eu-central-1 a GB of log lines is $0.63. Put those of yours into \`bench/costs/prices.ts\`, and run it again.

| | Dollars | Page |
|---|---:|---|
${rows(Object.values(PRICES.list), ([price, per, of, page]) => [`${grouped(per)} ${of}`, price, page])}
`;
};

/** Of its errors, throttles and duration, and of a release. */
const NETWORK_ALARM_METRICS = 6;

const SITUATIONS: readonly (readonly [string, Partial<Situation>])[] = [
  ['whose target takes 100 ms', { targetMs: 100 }],
  ['whose target takes 1 s', { targetMs: 1000 }],
  ['whose target takes 10 s', { targetMs: 10_000 }],
  ['with a router of 512 MB', { routerMemoryMb: 512 }],
  ['with a router of 1,024 MB', { routerMemoryMb: 1024 }],
  ['without metrics', { metrics: false }],
];

/** Of a table, one for each item. */
const rows = <Item>(items: readonly Item[], cells: (item: Item) => readonly unknown[]): string =>
  items.map((item) => `| ${cells(item).join(' | ')} |`).join('\n');

const streamRows = (recording: Recording): string =>
  rows([1, 3, CALLS_PER_EVENT], (callsInEvent) => {
    const { million, kept } = streamBill(recording, callsInEvent);
    return [callsInEvent, dollars(million), `$${kept.toFixed(3)}`];
  });

const leanRows = (recording: Recording): string => {
  let left = sumOf(stageBill(recording));
  return rows(LEAN, ([option, what, sign]) => {
    left += sign * monthOf(recording.options[option]);
    return [what, dollars(left)];
  });
};

/** What calls cost more that had not ended when CloudWatch Logs brought their first lines: slow ones, above all. */
const begun = ({ call }: Recording): number =>
  (1e6 * call.unitsOfBegun.written * priceOf('writeUnit')) / CALLS_PER_EVENT;

/** What keeping calls costs more where each has an event of its own. */
const oneByOne = ({ call }: Recording): number => {
  const cost = ({ read, written }: ActivityUnits) =>
    read * priceOf('readUnit') +
    written * priceOf('writeUnit') +
    priceOf('invocation') +
    ACTIVITY_GB_SECONDS * priceOf('gbSecond');
  return 1e6 * (cost(call.unitsOfOne) - cost(call.activityUnits) / CALLS_PER_EVENT);
};

/** A row for each part of the bill, and a column for each month. */
const monthRows = (recording: Recording): string => {
  const bills = MONTHS.map((month) => monthBill(recording, month));
  const parts = bills[0]!.lines.map(({ what }, index) => [
    what.replace(/, GB$/, ''),
    ...bills.map(({ lines }) => dollars(lines[index]!.dollars)),
  ]);
  const all = [
    ['people', ...MONTHS.map(({ people }) => grouped(people))],
    ['deployments', ...MONTHS.map(({ deployments }) => grouped(deployments))],
    ...parts,
    ['**together**', ...bills.map(({ lines }) => `**${dollars(sumOf(lines))}**`)],
    ['of it storage, backups, and keeping calls', ...bills.map(({ kept }) => dollars(kept))],
  ];
  return rows(all, (cells) => cells);
};

/** What a copy of each night and month of the table of calls would cost. */
const backupOfCalls = (recording: Recording): number => {
  const [, , calls] = monthBill(recording, MONTHS[3]).lines;
  return calls!.quantity * (47 * priceOf('backupGbMonth') + priceOf('recoveryGbMonth'));
};

const memoryRows = ({ peakMb }: Recording): string =>
  rows(Object.entries(functions), ([name, { memoryMb }]) => {
    const held = peakMb[name as FunctionName];
    return [name, `${memoryMb} MB`, held ? `${held} MB` : '', REASONS[name] ?? ''];
  });

const REASONS: Readonly<Record<string, string>> = {
  router: 'it waits nearly all of its time, and waiting costs memory alone',
  oauth: 'one whole processor: a sign-in is one scrypt',
  management: 'a description of 5 MB is compiled while its owner waits',
};

const breakEven = (recording: Recording): string => {
  const saved = millionOf(recording) - millionOf(recording, { provisioned: true });
  const calls = (provisionedMonth(USUAL.routerMemoryMb) / saved) * 1e6;
  return grouped(Math.ceil(calls / 1e5) * 1e5);
};

const dollars = (amount: number): string =>
  `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(2)}`;
const percent = (share: number): string => `${(100 * share).toFixed(0)} percent`;
const grouped = (count: number): string => count.toLocaleString('en-US');

const quantityOf = ({ quantity, price }: Part): string => {
  if (price === 'logGb' || price === 'gbOut') return `${quantity.toFixed(2)} GB`;
  return `${grouped(Math.round(quantity))}${price === 'gbSecond' ? ' GB-s' : ''}`;
};

const listOf = (calls: Readonly<Record<string, number>>): string =>
  Object.entries(calls)
    .map(([operation, times]) => `${times} \`${operation}\``)
    .join(', ');
