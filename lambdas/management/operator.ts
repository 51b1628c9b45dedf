import { operated, operatorCommand } from '@hosted-mcp/core/http';
import {
  type BlockPorts,
  liftBlock,
  listBlocks,
  type MintTokenPorts,
  type PublishPorts,
  type RevokeTokenPorts,
  setOwnerPlan,
  type SetOwnerPlanPorts,
  sweep,
  type SweepPorts,
} from '@hosted-mcp/core/management';
import * as z from 'zod';
import { PublishCommand, publishCommand } from './publish.ts';
import {
  MintTokenCommand,
  mintTokenCommand,
  RevokeTokenCommand,
  revokeTokenCommand,
} from './tokens.ts';

export type OperatorPorts = PublishPorts &
  MintTokenPorts &
  RevokeTokenPorts &
  SweepPorts &
  SetOwnerPlanPorts &
  BlockPorts;

const SetOwnerPlanCommand = z.strictObject({
  ownerId: z.string().min(1).max(128),
  plan: z.enum(['free', 'pro']),
});
const UnblockIpCommand = z.strictObject({ subject: z.string().min(1).max(100) });

/** What operators may ask of the management function. */
export const operatorCommands = (ports: OperatorPorts) =>
  operated({
    publish: operatorCommand(PublishCommand, publishCommand(ports)),
    'mint-token': operatorCommand(MintTokenCommand, mintTokenCommand(ports)),
    'revoke-token': operatorCommand(RevokeTokenCommand, revokeTokenCommand(ports)),
    'set-owner-plan': operatorCommand(SetOwnerPlanCommand, async (command) => ({
      ok: true,
      ...(await setOwnerPlan(ports, command)),
    })),
    'list-blocked': operatorCommand(z.strictObject({}), async () => ({
      ok: true,
      blocked: await listBlocks(ports),
    })),
    'unblock-ip': operatorCommand(UnblockIpCommand, async ({ subject }) => ({
      ok: true,
      lifted: await liftBlock(ports, subject),
    })),
    sweep: operatorCommand(z.strictObject({}), async () => ({
      ok: true,
      removed: await sweep(ports),
    })),
  });
