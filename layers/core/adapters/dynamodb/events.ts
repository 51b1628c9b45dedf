import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { DAY } from '../../domain/time.ts';
import type { Events, Mint, Ports, ServiceEvent } from '../../ports.ts';
import { dynamoFault } from './faults.ts';

type SecurityEvent = Extract<ServiceEvent, { readonly type: 'security' }>;

/** Characters. Subjects and reasons may come from a stranger. */
const MAX_TEXT = 500;

/**
 * Every event is logged at once; security events are kept in their table as well, from `flush` on.
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
      log.write(logged(event));
      if (event.type !== 'security') return;
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

const itemOf = (
  { subject, event, slug, why }: SecurityEvent,
  at: number,
  id: string,
  retentionDays: number,
) => {
  const time = new Date(at * 1000).toISOString();
  const who = subject.slice(0, MAX_TEXT);
  return {
    pk: `SUBJECT#${who}#${time.slice(0, 10).replaceAll('-', '')}`,
    // Events of one second stay apart.
    sk: `${time}#${id}`,
    event,
    subject: who,
    slug,
    why: why.slice(0, MAX_TEXT),
    at,
    expires_at: at + retentionDays * DAY,
  };
};

const logged = (event: ServiceEvent): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
