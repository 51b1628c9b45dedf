import type { Ports } from '../../ports.ts';

export { CALL_OUTCOMES, type CallRecord } from '../../domain/activity/index.ts';

export type ActivityPorts = Pick<Ports, 'callStore' | 'log'>;
