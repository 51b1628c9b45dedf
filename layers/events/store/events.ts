import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DAY, type EpochSeconds, MINUTE, timeOf } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { Log } from '../../platform/rules/log.ts';
import type { ServiceEvent } from '../rules/service-event.ts';
import { eventKey } from '../../platform/dynamodb/keys.ts';
import { dynamoFault } from '../../platform/dynamodb/items.ts';
import { isUnfinished } from '../rules/call-outcome.ts';
import { LINE_SCHEMA, type LoggedCall, wireName } from '../rules/call-record.ts';
import { logLine } from '../../platform/log/stdout-log.ts';

/** Frequent events: stored once per minute, subject and deployment, with a count. */
const COUNTED: ReadonlySet<string> = new Set([
  'authentication_failed',
  'client_authentication_failed',
]);

/** In characters. Subjects and reasons may come from strangers. */
const MAX_TEXT = 500;

/** Logs every event at once; `flush` stores them in the table. A failed `flush` is not repeated: the log has them. */
export const dynamoEvents = (
  {
    clock,
    log,
    random,
  }: { readonly clock: Clock; readonly log: Log; readonly random: Pick<Random, 'id'> },
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
) => {
  const waiting: (PutCommand | UpdateCommand)[] = [];

  return {
    record: (event: ServiceEvent): void => {
      const id = random.id();
      log.write({ ...onTheWire(event), id, schema: LINE_SCHEMA });
      waiting.push(
        isCounted(event)
          ? countUpdate(TableName, event, clock.now(), retentionDays)
          : new PutCommand({ TableName, Item: itemOf(event, clock.now(), id, retentionDays) }),
      );
    },

    /** Stores everything recorded so far. Called once per request, before the answer. */
    flush: async (): Promise<void> => {
      const writes = waiting
        .splice(0)
        .map((write) => (write instanceof PutCommand ? dynamo.send(write) : dynamo.send(write)));
      await Promise.all(writes).catch(dynamoFault);
    },
  };
};

/** Events never contain secrets, argument values or bodies. */
export type Events = ReturnType<typeof dynamoEvents>;

const isCounted = (event: ServiceEvent): boolean =>
  event.type === 'security' && COUNTED.has(event.event);

/** Creates or increments the event of this minute; differing details are those of the latest. */
const countUpdate = (
  TableName: string,
  event: ServiceEvent,
  now: EpochSeconds,
  retentionDays: number,
): UpdateCommand => {
  const at = Math.floor(now / MINUTE) * MINUTE;
  const { deploymentId = '-' } = event.type === 'security' ? event : {};
  const id = `${event.type === 'security' ? event.event : event.type}#${deploymentId}`;
  const { pk, sk, ...attributes } = itemOf(event, at, id, retentionDays);
  const fields = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return new UpdateCommand({
    TableName,
    Key: { pk, sk },
    UpdateExpression: `SET ${fields.map((_, index) => `#f${index} = :f${index}`).join(', ')} ADD #count :one`,
    ExpressionAttributeNames: {
      '#count': 'count',
      ...Object.fromEntries(fields.map(([name], index) => [`#f${index}`, name])),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ...Object.fromEntries(fields.map(([, value], index) => [`:f${index}`, value])),
    },
  });
};

/** The attributes `deploymentId` and `accountId` put the event on time lines through indexes. */
const itemOf = (event: ServiceEvent, at: EpochSeconds, id: string, retentionDays: number) => ({
  ...eventKey(cut(subjectOf(event)), at, id),
  ...Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      typeof value === 'string' ? cut(value) : value,
    ]),
  ),
  at,
  deleteAfter: at + retentionDays * DAY,
});

const cut = (text: string): string => text.slice(0, MAX_TEXT);

const subjectOf = (event: ServiceEvent): string =>
  event.type === 'credential_access' ? event.user : event.subject;

const onTheWire = (event: ServiceEvent): Record<string, unknown> =>
  Object.fromEntries(Object.entries(event).map(([name, value]) => [wireName(name), value]));

/**
 * Writes a call as one JSON line, which the function `activity` receives. Nothing is masked: every field is known to
 * the service, and none is a secret.
 * @param out - standard output by default, which takes a line before `write` returns
 */
export const stdoutCallLog = (out: { write(line: string): unknown } = process.stdout) => ({
  write: ({ at, durationMs, slug, method, trace, ...known }: LoggedCall): void => {
    // Short, since each byte of the log costs: the line of the call's end has the rest.
    const call = isUnfinished(known) ? known : { ...known, durationMs, slug, method, trace };
    const fields = Object.entries(call).map(([name, value]) => [wireName(name), value]);
    const begin = { time: timeOf(at), message: 'tool_call', schema: LINE_SCHEMA };
    out.write(logLine({ ...begin, ...Object.fromEntries(fields) }));
  },
});

/** A record has left the instance when `write` returns. */
export type CallLog = ReturnType<typeof stdoutCallLog>;
