import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { dayOf, timeOf } from '../../domain/activity/index.ts';
import { DAY, type EpochSeconds } from '../../domain/time.ts';
import type { Events, Mint, Ports, ServiceEvent } from '../../ports.ts';
import { dynamoFault } from './faults.ts';

/** Events that are kept one by one; calls of tools are counted (`tool-counts.ts`). */
type KeptEvent = Exclude<ServiceEvent, { readonly type: 'tool_invocation' }>;

/** Characters. Subjects and reasons may come from a stranger. */
const MAX_TEXT = 500;

/**
 * Every event is logged at once; those that are kept are in their table as well, from `flush` on.
 * What `flush` fails to store is not tried again: the log has it.
 */
export const dynamoEvents = (
  { clock, log, mint }: Pick<Ports, 'clock' | 'log'> & { readonly mint: Pick<Mint, 'id'> },
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
): Events => {
  const waiting: Item[] = [];

  return {
    record: (event) => {
      log.write(onTheWire(event));
      if (event.type === 'tool_invocation') return;
      waiting.push(itemOf(event, clock.now(), mint.id(), retentionDays));
    },

    flush: async () => {
      const puts = waiting
        .splice(0)
        .map((Item) => dynamo.send(new PutCommand({ TableName, Item })));
      await Promise.all(puts).catch(dynamoFault);
    },
  };
};

type Item = ReturnType<typeof itemOf>;

/** The attributes `deployment_id` and `account_id`, where there are any, put the event on time lines. */
const itemOf = (event: KeptEvent, at: EpochSeconds, id: string, retentionDays: number) => {
  const time = timeOf(at);
  return {
    pk: `SUBJECT#${subjectOf(event).slice(0, MAX_TEXT)}#${dayOf(at).replaceAll('-', '')}`,
    // Events of one second stay apart.
    sk: `${time}#${id}`,
    ...onTheWire(event, (text) => text.slice(0, MAX_TEXT)),
    at,
    expires_at: at + retentionDays * DAY,
  };
};

const subjectOf = (event: KeptEvent): string =>
  event.type === 'credential_access' ? event.user : event.subject;

const onTheWire = (
  event: ServiceEvent,
  cut = (text: string): string => text,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'string' ? cut(value) : value,
    ]),
  );
