import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/activity/routes/server.ts';
import { stdoutCallLog } from '../../../layers/events/store/events.ts';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';

const aCall: CallRecord = {
  origin: 'https://elsewhere.example',
  at: NOON,
  requestId: 'request-1',
  index: 2,
  deploymentId: 'dep-1',
  version: 3,
  tool: 'secret_rotation',
  outcome: 'target_error',
  status: 503,
  reason: 'timeout',
  durationMs: 12,
  subject: 'user-1',
  clientId: 'https://client.example/metadata',
  grantId: 'grant-1',
  tokenId: 'jti-1',
  ip: '192.0.2.1',
  credentialVersion: 'version-1',
  answerTokens: 512,
};

/** As the router writes it. */
const lineOf = (call: CallRecord): string => {
  let text = '';
  stdoutCallLog({ write: (line) => void (text += line) }).write({ ...call, slug: 'pets' });
  return text;
};

/** As CloudWatch Logs sends lines. */
const eventOf = (data: object) => ({
  awslogs: { data: gzipSync(JSON.stringify(data)).toString('base64') },
});
const linesEvent = (...lines: readonly string[]) =>
  eventOf({
    messageType: 'DATA_MESSAGE',
    logStream: 'stream-1',
    logEvents: lines.map((message, id) => ({ id: String(id), timestamp: 1, message })),
  });

const unused = () => Promise.reject(new Error('unused'));
const NO_MARKS = { put: unused, list: unused };

const receiving = async (event: unknown) => {
  const stored: unknown[] = [];
  const lines: unknown[] = [];
  const marks: unknown[] = [];
  const recorded: unknown[] = [];
  const answer = await server({
    credentialMarks: { ...NO_MARKS, put: async (mark) => void marks.push(mark) },
    callStore: { store: async (calls, source) => void stored.push({ calls, source }) },
    recordedCallStore: { store: async (calls) => void recorded.push(...calls) },
    log: { write: (line) => void lines.push(line) },
  })(event);
  return { answer, stored, lines, marks, recorded };
};

describe('the function that stores calls', () => {
  test('stores exactly what the router has written', async () => {
    const { stored, lines } = await receiving(linesEvent(lineOf(aCall)));

    expect(stored).toEqual([{ calls: [aCall], source: 'stream-1' }]);
    expect(lines).toEqual([]);
  });

  test('stores what failed before, out of the queue', async () => {
    const body = JSON.stringify({ requestPayload: linesEvent(lineOf(aCall)) });

    expect((await receiving({ Records: [{ body }] })).stored).toEqual([
      { calls: [aCall], source: 'stream-1' },
    ]);
  });

  test.each([
    ['no JSON', 'START'],
    ['something else', '{"message":"request"}'],
    ['half a call', lineOf(aCall).slice(0, 60)],
    ['an outcome that there is not', lineOf(aCall).replace('target_error', 'fine')],
  ])('leaves out a line that is %s, and says so', async (_, line) => {
    const { stored, lines } = await receiving(linesEvent(line, lineOf(aCall)));

    expect(stored).toEqual([{ calls: [aCall], source: 'stream-1' }]);
    expect(lines).toEqual([
      { message: 'lines_without_call', level: 'error', count: 1, source: 'stream-1' },
    ]);
  });

  test('has nothing to do where CloudWatch Logs asks whether it is there', async () => {
    const { answer } = await receiving(eventOf({ messageType: 'CONTROL_MESSAGE' }));

    expect(answer).toEqual({ calls: 0 });
  });

  test.each([
    ['of another kind', { operator: 'sweep' }],
    ['without data', { awslogs: {} }],
    ['that is not packed', { awslogs: { data: 'e30=' } }],
    ['of a queue that holds something else', { Records: [{ body: 'x' }] }],
  ])('refuses an event %s', async (_, event) => {
    await expect(receiving(event)).rejects.toThrow(/^not an event of CloudWatch Logs: /);
  });

  test('marks credentials that were refused, once for each version', async () => {
    const call = { ...aCall, outcome: 'target_error', credentialVersion: 'c1' } as const;
    const { marks } = await receiving(
      linesEvent(
        ...[
          { ...call, at: 30, status: 403, index: 1 },
          { ...call, at: 20, status: 401, index: 2 },
          { ...call, at: 10, status: 500, index: 3 },
          { ...call, at: 40, status: 401, index: 4, credentialVersion: 'c2' },
          { ...aCall, at: 50, status: 200, index: 5 },
        ].map(lineOf),
      ),
    );

    const { deploymentId } = aCall;
    expect(marks).toEqual([
      { deploymentId, version: 'c1', since: 20 },
      { deploymentId, version: 'c2', since: 40 },
    ]);
  });

  test('fails where the store fails, so that the event comes again', async () => {
    const failing = server({
      credentialMarks: NO_MARKS,
      callStore: { store: () => Promise.reject(new Error('down')) },
      recordedCallStore: { store: unused },
      log: { write: () => undefined },
    });

    await expect(failing(linesEvent(lineOf(aCall)))).rejects.toThrow('down');
  });
});
