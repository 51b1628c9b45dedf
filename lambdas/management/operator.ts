import { operated, operatorCommand } from '@hosted-mcp/core/http';
import {
  type MintTokenPorts,
  PLANS,
  type PublishPorts,
  releaseDeployment,
  type RevokeTokenPorts,
  setOwnerPlan,
  type SetOwnerPlanPorts,
  stopDeployment,
  type StopDeploymentPorts,
} from '@hosted-mcp/core/management';
import * as z from 'zod';
import { PublishCommand, publishCommand } from './deployments/publish.ts';
import {
  MintTokenCommand,
  mintTokenCommand,
  RevokeTokenCommand,
  revokeTokenCommand,
} from './access/tokens.ts';

export type OperatorPorts = PublishPorts &
  MintTokenPorts &
  RevokeTokenPorts &
  SetOwnerPlanPorts &
  StopDeploymentPorts;

const SetOwnerPlanCommand = z.strictObject({
  ownerId: z.string().min(1).max(128),
  plan: z.enum(PLANS),
});

const SlugCommand = z.strictObject({ slug: z.string().min(1).max(63) });

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
    'stop-deployment': operatorCommand(SlugCommand, async ({ slug }) => ({
      ok: true,
      status: (await stopDeployment(ports, slug)).status,
    })),
    'release-deployment': operatorCommand(SlugCommand, async ({ slug }) => ({
      ok: true,
      status: (await releaseDeployment(ports, slug)).status,
    })),
  });
