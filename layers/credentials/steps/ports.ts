import type { Ports } from '../../ports.ts';
import type { RetrieveCredentialPorts } from './retrieve-credential.ts';

export type BrokerPorts = RetrieveCredentialPorts & Pick<Ports, 'log'>;
