import { dynamoEvents } from '../../layers/events/store/events.ts';
import type { commonPorts, Given } from './common-ports.ts';
import type { counting } from './environment.ts';

export const eventsIn = (
  environment: Pick<Given<typeof counting>, 'SECURITY_EVENTS_TABLE'>,
  {
    dynamo,
    ...ground
  }: Pick<ReturnType<typeof commonPorts>, 'clock' | 'dynamo' | 'log' | 'random'>,
  retentionDays: number,
) => dynamoEvents(ground, dynamo, environment.SECURITY_EVENTS_TABLE, retentionDays);
