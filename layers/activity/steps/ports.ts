import type { Ports } from '../../ports.ts';
import type { MarkRefusedCredentialsPorts } from './mark-refused-credentials.ts';

export type ActivityPorts = Pick<Ports, 'callStore' | 'log' | 'recordedCallStore'> &
  MarkRefusedCredentialsPorts;
