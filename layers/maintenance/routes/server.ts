import { operated, operatorCommand, theService } from '../../api/operator.ts';
import { allowMails, mailStatus } from '../steps/undeliverable.ts';
import { type BlockPorts, liftBlock, listBlocks } from '../steps/blocks.ts';
import { checkRestore, RESTORE_CURSOR } from '../steps/restore-check.ts';
import { continueSweep, sweep } from '../steps/sweep.ts';
import { eraseRecords, exportRecords, findPerson, personTrace } from '../steps/persons.ts';
import { FAILED_QUEUES } from '../../platform/rules/failed-work.ts';
import { listFailed, redrive } from '../steps/redrive.ts';
import { moveCredentials } from '../steps/move-credentials.ts';
import { takeCare } from '../steps/take-care.ts';
import { applyPasswords } from '../../identity/steps/passwords.ts';
import { MAX_BREAK_GLASS } from '../../identity/rules/password-terms.ts';
import { applyProviders } from '../../identity/steps/apply-providers.ts';
import type { InvocationContext, InvocationTime } from '../../platform/system/clock.ts';
import * as z from 'zod';
import type { PortsOf } from '../../platform/ports.ts';

const Nothing = z.strictObject({});
const NextPage = z.strictObject({ after: z.string().min(1).max(2048).optional() });
const RestoreCheck = z.strictObject({
  after: z.string().max(2048).regex(RESTORE_CURSOR).optional(),
});
const Address = z.strictObject({ email: z.string().min(3).max(254) });
const QueueName = z.strictObject({ queue: z.enum(FAILED_QUEUES).optional() });
const UnblockIp = z.strictObject({
  subject: z.string().min(1).max(100),
  slug: z.string().max(63).optional(),
});

const ApplyProviders = z.strictObject({
  providers: z.unknown(),
  revision: z.int().min(0),
});

const ApplyPasswords = z.strictObject({
  passwords: z.enum(['off', 'on']),
  breakGlass: z.array(z.string().min(1).max(128)).max(MAX_BREAK_GLASS),
  revision: z.int().min(0),
});

const email = z.string().min(3).max(254);
const after = z.string().min(1).max(4096).optional();
const ids = z.array(z.string().min(1).max(128)).max(50);
const FindPerson = z.strictObject({ email, ids: ids.default([]), after });
const OfPerson = z.strictObject({ email, ids, after });

const theQueue = ({ queue }: z.infer<typeof QueueName>) => queue ?? theService();

/**
 * Commands of the maintenance function, from schedules and operators. It has no HTTP route.
 * @returns the command's answer, or `{ok: false, ...}` for a refusal
 * @throws Error for an event that is no command; Fault when a neighbour fails
 * Source: docs/aws.md, "Commands of operators".
 */
export const server = (
  ports: PortsOf<
    | typeof applyProviders
    | typeof allowMails
    | typeof operated
    | typeof sweep
    | typeof moveCredentials
    | typeof checkRestore
    | typeof listFailed
    | typeof findPerson
    | typeof takeCare
  > &
    BlockPorts & { readonly timeLeft: InvocationTime },
) => {
  const run = operated(ports, {
    sweep: operatorCommand(Nothing, theService, () => sweep(ports)),
    'continue-sweep': operatorCommand(Nothing, theService, () => continueSweep(ports)),
    'take-care': operatorCommand(Nothing, theService, () => takeCare(ports)),
    'list-blocked': operatorCommand(NextPage, theService, ({ after }) => listBlocks(ports, after)),
    'restore-check': operatorCommand(RestoreCheck, theService, ({ after }) =>
      checkRestore(ports, after),
    ),
    'move-credentials': operatorCommand(NextPage, theService, ({ after }) =>
      moveCredentials(ports, after),
    ),
    'list-failed': operatorCommand(QueueName, theQueue, async ({ queue }) => ({
      queues: await listFailed(ports, queue),
    })),
    redrive: operatorCommand(QueueName, theQueue, ({ queue }) => redrive(ports, queue)),
    'apply-providers': operatorCommand(ApplyProviders, theService, async (prepared) => {
      const { providers, revision } = await applyProviders(ports, prepared);
      return { providers: providers.map(({ id }) => id), revision };
    }),
    'apply-passwords': operatorCommand(ApplyPasswords, theService, (passwords) =>
      applyPasswords(ports, passwords),
    ),
    'find-person': operatorCommand(FindPerson, personTrace, async (query) => {
      const { otherIds, ...found } = await findPerson(ports, query);
      return { ...found, other_ids: otherIds };
    }),
    'export-records': operatorCommand(OfPerson, personTrace, (query) =>
      exportRecords(ports, query),
    ),
    'erase-records': operatorCommand(OfPerson, personTrace, (query) => eraseRecords(ports, query)),
    'mail-status': operatorCommand(
      Address,
      ({ email }) => email.toLowerCase(),
      async ({ email }) => {
        const { reason, since } = (await mailStatus(ports, email)) ?? {};
        return { deliverable: reason === undefined, reason, since };
      },
    ),
    'allow-mails': operatorCommand(
      Address,
      ({ email }) => email.toLowerCase(),
      async ({ email }) => ({ lifted: await allowMails(ports, email) }),
    ),
    'unblock-ip': operatorCommand(
      UnblockIp,
      ({ subject }) => subject,
      async ({ subject, slug }) => ({ lifted: await liftBlock(ports, subject, slug) }),
    ),
  });
  return (event: unknown, context?: InvocationContext): Promise<object> =>
    ports.timeLeft.within(context, () => run(event, context));
};
