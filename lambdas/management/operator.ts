import { operated, type OperatedPorts, operatorCommand } from '@hosted-mcp/core/http';
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

export type OperatorPorts = OperatedPorts &
  PublishPorts &
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
  operated(ports, {
    publish: operatorCommand(
      PublishCommand,
      ({ slug, ownerId }) => slug ?? ownerId,
      publishCommand(ports),
    ),
    'mint-token': operatorCommand(MintTokenCommand, ({ slug }) => slug, mintTokenCommand(ports)),
    'revoke-token': operatorCommand(
      RevokeTokenCommand,
      ({ slug, jti }) => `${slug} ${jti}`,
      revokeTokenCommand(ports),
    ),
    'set-owner-plan': operatorCommand(
      SetOwnerPlanCommand,
      ({ ownerId }) => ownerId,
      async (command) => ({
        ok: true,
        ...(await setOwnerPlan(ports, command)),
      }),
    ),
    'stop-deployment': operatorCommand(
      SlugCommand,
      ({ slug }) => slug,
      async ({ slug }) => ({
        ok: true,
        status: (await stopDeployment(ports, slug)).status,
      }),
    ),
    'release-deployment': operatorCommand(
      SlugCommand,
      ({ slug }) => slug,
      async ({ slug }) => ({
        ok: true,
        status: (await releaseDeployment(ports, slug)).status,
      }),
    ),
  });
