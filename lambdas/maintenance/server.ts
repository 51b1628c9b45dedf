import { operated, operatorCommand } from '@hosted-mcp/core/http';
import {
  allowMails,
  type BlockPorts,
  checkRestore,
  continueSweep,
  liftBlock,
  listBlocks,
  mailStatus,
  RESTORE_CURSOR,
  type RestoreCheckPorts,
  sweep,
  type SweepPorts,
  type UndeliverablePorts,
} from '@hosted-mcp/core/maintenance';
import type { InvocationContext, InvocationTime } from '@hosted-mcp/core/wiring/maintenance';
import * as z from 'zod';

export type MaintenancePorts = SweepPorts &
  BlockPorts &
  RestoreCheckPorts &
  UndeliverablePorts & { readonly timeLeft: InvocationTime };

const Nothing = z.strictObject({});
const ListBlocked = z.strictObject({ after: z.string().min(1).max(2048).optional() });
const RestoreCheck = z.strictObject({
  after: z.string().max(2048).regex(RESTORE_CURSOR).optional(),
});
const Address = z.strictObject({ email: z.string().min(3).max(254) });
const UnblockIp = z.strictObject({
  subject: z.string().min(1).max(100),
  slug: z.string().max(63).optional(),
});

/**
 * Maintenance on given ports: no route leads here. Schedules send it commands, and so do operators.
 *
 * @returns the command's answer, or `{ok: false, ...}` for a refusal
 * @throws Error for an event that is no command; Fault when a neighbour fails
 *
 * Source: docs/aws.md, "Commands of operators".
 */
export const server = (ports: MaintenancePorts) => {
  const run = operated({
    sweep: operatorCommand(Nothing, async () => ({ ok: true, ...(await sweep(ports)) })),
    'continue-sweep': operatorCommand(Nothing, async () => ({
      ok: true,
      ...(await continueSweep(ports)),
    })),
    'list-blocked': operatorCommand(ListBlocked, async ({ after }) => ({
      ok: true,
      ...(await listBlocks(ports, after)),
    })),
    'restore-check': operatorCommand(RestoreCheck, async ({ after }) => ({
      ok: true,
      ...(await checkRestore(ports, after)),
    })),
    'mail-status': operatorCommand(Address, async ({ email }) => {
      const { reason, since } = (await mailStatus(ports, email)) ?? {};
      return { ok: true, deliverable: reason === undefined, reason, since };
    }),
    'allow-mails': operatorCommand(Address, async ({ email }) => ({
      ok: true,
      lifted: await allowMails(ports, email),
    })),
    'unblock-ip': operatorCommand(UnblockIp, async ({ subject, slug }) => ({
      ok: true,
      lifted: await liftBlock(ports, subject, slug),
    })),
  });
  return (event: unknown, context?: InvocationContext): Promise<object> =>
    ports.timeLeft.within(context, () => run(event));
};
