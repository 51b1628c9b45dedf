import type { Ports } from '../../ports.ts';
import type { AuthenticateClientPorts } from './authenticate-client.ts';
import type { DescribeUserPorts } from './describe-user.ts';
import type { ExchangeCodePorts } from './exchange-code.ts';
import type { RefreshPorts } from './refresh.ts';
import type { RegisterPorts } from './register.ts';
import type { RevokePorts } from './revoke.ts';

export {
  authorizationServerMetadata,
  openIdConfiguration,
  readCodeExchange,
  readGrantType,
  readPresentedClient,
  readRefreshing,
  readRevocation,
  SCOPES,
  type GrantType,
  type SentParameters,
} from '../../domain/oauth/index.ts';
export { authenticateClient, type ProvenClient } from './authenticate-client.ts';
export { describeUser } from './describe-user.ts';
export { exchangeCode } from './exchange-code.ts';
export { findClient, type FindClientPorts } from './find-client.ts';
export type { Issued } from './issued.ts';
export { refresh } from './refresh.ts';
export { register, type Registered } from './register.ts';
export { revoke } from './revoke.ts';

/** What the endpoints that programs talk to can touch. */
export type MachinePorts = RegisterPorts &
  AuthenticateClientPorts &
  ExchangeCodePorts &
  RefreshPorts &
  RevokePorts &
  DescribeUserPorts &
  Pick<Ports, 'log' | 'signingKeys'>;
