import type { Ports } from '../../ports.ts';
import type { MarkRefusedCredentialsPorts } from './mark-refused-credentials.ts';

export { CALL_OUTCOMES, type CallRecord } from '../../domain/activity/index.ts';
export { markRefusedCredentials } from './mark-refused-credentials.ts';

export type ActivityPorts = Pick<Ports, 'callStore' | 'log'> & MarkRefusedCredentialsPorts;
