import { dynamoEvents } from '../../layers/events/store/events.ts';
import type { commonPorts, Given } from './common-ports.ts';
import type { counting } from './environment.ts';

/** Events are stored as many days as logs are kept. */
export const eventsIn = (
  environment: Pick<Given<typeof counting>, 'SECURITY_EVENTS_TABLE'>,
  {
    dynamo,
    ...ground
  }: Pick<ReturnType<typeof commonPorts>, 'clock' | 'dynamo' | 'log' | 'random'>,
  retentionDays: number,
) => dynamoEvents(ground, dynamo, environment.SECURITY_EVENTS_TABLE, retentionDays);
