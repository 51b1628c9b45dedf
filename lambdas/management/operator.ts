import { operated, type OperatedPorts, operatorCommand } from '@hosted-mcp/core/http';
import {
  canonicalEmail,
  eraseAccount,
  type EraseAccountPorts,
  type MintTokenPorts,
  personTrace,
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
import { exportPage, type ExportPorts } from './account/export.ts';
import type { ApiRoute } from './frame/route.ts';
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
  ExportPorts &
  EraseAccountPorts &
  StopDeploymentPorts;

const SetOwnerPlanCommand = z.strictObject({
  ownerId: z.string().min(1).max(128),
  plan: z.enum(PLANS),
});

const email = z.string().min(3).max(254);
const ExportAccountCommand = z.strictObject({
  email,
  after: z.string().min(1).max(8192).optional(),
});
const EraseAccountCommand = z.strictObject({ email });

const SlugCommand = z.strictObject({ slug: z.string().min(1).max(63) });

/**
 * What operators may ask of the management function.
 *
 * @param routes - of the API, which answers an export as its owner would be answered
 */
export const operatorCommands = (ports: OperatorPorts, routes: readonly ApiRoute[]) =>
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
    'export-account': operatorCommand(
      ExportAccountCommand,
      personTrace,
      async ({ email: address, after }) => {
        const user = await ports.users.findByEmail(canonicalEmail(address));
        return { ok: true, ...(user ? await exportPage(ports, routes, user, after) : NOTHING) };
      },
    ),
    'erase-account': operatorCommand(EraseAccountCommand, personTrace, async (command) => {
      const id = await eraseAccount(ports, command.email);
      return { ok: true, removed: id !== undefined };
    }),
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

/** Where there is no account (any more). */
const NOTHING = { items: [] };
