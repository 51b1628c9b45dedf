/**
 * What it costs to record a call of 4 KB with its content: processor time of the router's thread for what is done
 * beyond the call (masking, packing, sealing, the line), and dollars a million for the line and the items.
 *
 *   off        the deployment has no recording: the way of the call is the same as before
 *   on         everything is recorded
 *
 * Goals: off nothing; on less than 0.2 ms and 2 dollars a million calls, which is missed where each comes alone.
 */
import { randomBytes } from 'node:crypto';
import type { LoggedCall } from '../layers/events/rules/call-record.ts';
import { contentRecorder } from '../layers/mcp/steps/calls/content-recorder.ts';
import {
  type RpcCall,
  type ToolCallResult,
  toolCallResult,
  type WriteRecord,
} from '../layers/mcp/steps/rpc-call.ts';
import type { Recording } from '../layers/deployments/rules/recording.ts';
import { generateKeyPair } from '../layers/activity/store/hpke.ts';
import { stdoutRecordingLog } from '../layers/activity/store/recording-log.ts';
import { priceOf } from './costs/prices.ts';
import { ms, printTable, type Row } from './table.ts';

const ROUNDS = 7;
const CALLS = 2000;
const NOON = 1_800_000_000;
/** Of log groups, beside the bytes of the line. Source: CloudWatch pricing, "Logs". */
const EVENT_BYTES = 26;
/** Of an item, its keys and names, and of each call in it what stands beside what is sealed. */
const [ITEM_BYTES, CALL_BYTES] = [150, 70];
const DAYS = 7;

const RECORDING: Recording = {
  publicKey: generateKeyPair().publicKey,
  since: NOON,
  until: NOON + DAYS * 86_400,
};

/** JSON as APIs write it. */
const answer = (): string =>
  JSON.stringify({
    items: Array.from({ length: 18 }, (_, index) => ({
      id: 1000 + index,
      title: `Book ${randomBytes(6).toString('hex')}`,
      author: {
        name: ['Ada Lovelace', 'Bert Brecht', 'Carl Sagan'][index % 3],
        id: randomBytes(8).toString('hex'),
      },
      price: Math.round(Math.random() * 9000) / 100,
      currency: 'EUR',
      inStock: index % 2 === 0,
      updatedAt: new Date(1.7e12 + Math.random() * 1e10).toISOString(),
      tags: ['fiction', 'new', 'paperback'].slice(index % 3),
    })),
    nextPageToken: randomBytes(12).toString('hex'),
  });

const aRecord = (): LoggedCall => ({
  at: NOON,
  requestId: randomBytes(12).toString('base64'),
  index: 0,
  deploymentId: 'b2a7c1de-3f0e-4d6b-9a51-0d4f2f6f1c11',
  version: 3,
  tool: 'listBooks',
  outcome: 'ok',
  status: 200,
  durationMs: 123,
  answerTokens: 1034,
  subject: 'a77e3e0c-90a4-4c7c-8f2c-6a0f9d7e1b52',
  clientId: 'c_8d1f0a7b5c3e',
  grantId: 'd0f6c1de-3f0e-4d6b-9a51-0d4f2f6f1c11',
  ip: '203.0.113.7',
  slug: 'books',
  method: 'GET',
});

const ANSWERS = Array.from({ length: 50 }, () => [answer(), aRecord()] as const);

export const bench = async (): Promise<void> => {
  const lines: string[] = [];
  const recordingLog = stdoutRecordingLog({ write: (line) => lines.push(line) });
  const ports = { recordingLog, callLog: { write: () => undefined } };
  const call = {
    params: { name: 'listBooks', arguments: { query: 'fiction', limit: 20, author: 'Ada' } },
    trace: {},
  } as unknown as RpcCall;
  let turn = 0;
  const make = (write: WriteRecord): ToolCallResult => {
    const [text, record] = ANSWERS[turn++ % ANSWERS.length]!;
    write(record);
    return toolCallResult({ content: [{ type: 'text', text }] });
  };
  const off = () => make(ports.callLog.write);
  const on = () => {
    const recorder = contentRecorder(ports, RECORDING, call);
    const { result, text } = make(recorder.write);
    recorder.end({ result });
    return text;
  };

  const timeOf = (one: () => unknown): number => {
    const start = process.threadCpuUsage();
    for (let index = 0; index < CALLS; index += 1) one();
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000 / CALLS;
  };
  for (const one of [off, on]) timeOf(one);
  const rounds = { off: Infinity, on: Infinity };
  for (let round = 0; round < ROUNDS; round += 1) {
    lines.length = 0;
    rounds.off = Math.min(rounds.off, timeOf(off));
    rounds.on = Math.min(rounds.on, timeOf(on));
  }

  const lineBytes = lines.reduce((sum, line) => sum + line.length, 0) / lines.length;
  const sealedBytes = lines.reduce((sum, line) => sum + sealedIn(line).length, 0) / lines.length;
  const sent = ANSWERS.reduce((sum, [text]) => sum + text.length, 0) / ANSWERS.length;
  const log = ((lineBytes + EVENT_BYTES) / 2 ** 30) * 1e6 * priceOf('logGb');
  const tableOf = (together: number): number => {
    const item = ITEM_BYTES + together * (sealedBytes + CALL_BYTES);
    const units = Math.ceil(item / 1024) / together;
    const stored = (((item / together) * 1e6) / 2 ** 30) * priceOf('tableGbMonth') * (DAYS / 30);
    return units * 1e6 * priceOf('writeUnit') + stored;
  };
  const times: readonly Row[] = [
    ['off', ms(rounds.off)],
    ['on', ms(rounds.on)],
    ['recording', ms(rounds.on - rounds.off)],
  ];
  printTable(`A call of ${Math.round(sent)} bytes, recorded`, ['processor time'], times);
  const bills = [20, 2, 1].map((together): Row => [
    `${together} come together`,
    `${Math.round(lineBytes)} of line, ${Math.round(sealedBytes)} of item`,
    dollars(log),
    dollars(tableOf(together)),
    dollars(log + tableOf(together)),
  ]);
  printTable('A million of them', ['bytes each', 'log', 'table', 'together'], bills);
};

const sealedIn = (line: string): Buffer =>
  Buffer.from((JSON.parse(line) as { readonly sealed: string }).sealed, 'base64');

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;
