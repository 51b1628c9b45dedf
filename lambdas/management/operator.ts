import { operated, operatorCommand } from '@hosted-mcp/core/http';
import type { MintTokenPorts, PublishPorts, RevokeTokenPorts } from '@hosted-mcp/core/management';
import { PublishCommand, publishCommand } from './publish.ts';
import {
  MintTokenCommand,
  mintTokenCommand,
  RevokeTokenCommand,
  revokeTokenCommand,
} from './tokens.ts';

export type OperatorPorts = PublishPorts & MintTokenPorts & RevokeTokenPorts;

/** What operators may ask of the management function. */
export const operatorCommands = (ports: OperatorPorts) =>
  operated({
    publish: operatorCommand(PublishCommand, publishCommand(ports)),
    'mint-token': operatorCommand(MintTokenCommand, mintTokenCommand(ports)),
    'revoke-token': operatorCommand(RevokeTokenCommand, revokeTokenCommand(ports)),
  });
