import { operated, operatorCommand } from '@hosted-mcp/core/http';
import type { MintTokenPorts, PublishPorts, RevokeTokenPorts } from '@hosted-mcp/core/management';
import { PublishCommand, publishCommand } from './publish.ts';
import {
  MintTokenCommand,
  mintTokenCommand,
  RevokeTokenCommand,
  revokeTokenCommand,
} from './tokens.ts';

export type ManagementPorts = PublishPorts & MintTokenPorts & RevokeTokenPorts;

/** The management function on given ports. No route of the gateway leads here yet. */
export const server = (ports: ManagementPorts) =>
  operated({
    publish: operatorCommand(PublishCommand, publishCommand(ports)),
    'mint-token': operatorCommand(MintTokenCommand, mintTokenCommand(ports)),
    'revoke-token': operatorCommand(RevokeTokenCommand, revokeTokenCommand(ports)),
  });
