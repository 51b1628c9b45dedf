import { isEmail } from '../rules/email.ts';
import { NOTICE_KINDS } from '../rules/user.ts';
import { isSlug } from '../../platform/rules/addresses.ts';
import type { PlatformPorts, PortsOf } from '../../platform/ports.ts';
import { sendMail } from './send-mail.ts';
import * as z from 'zod/mini';
import { isFeedbackEvent, readFeedback, recordFeedback } from './feedback.ts';

/** Events that fail are stored in a queue, so no secret is part of them. */
const asked = {
  id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  email: z.string().check(z.refine(isEmail)),
};
const slug = z.string().check(z.refine(isSlug));
const company = z.string().check(z.maxLength(100));
const ID = /^[a-z][a-z0-9-]{1,31}$/;
const Event = z.discriminatedUnion('purpose', [
  z.strictObject({ ...asked, purpose: z.enum(['sign_up', 'reset_password', 'account_made']) }),
  z.strictObject({
    ...asked,
    purpose: z.enum(NOTICE_KINDS),
    slug,
  }),
  z.strictObject({
    ...asked,
    purpose: z.literal('break_glass_used'),
    by: z.string().check(z.refine(isEmail)),
  }),
  z.strictObject({
    ...asked,
    purpose: z.literal('opened_by_company'),
    company,
  }),
  z.pipe(
    z.strictObject({
      ...asked,
      purpose: z.literal('invitation'),
      slug,
      by: z.string().check(z.refine(isEmail)),
      may_sign_up: z.boolean(),
      company: z.exactOptional(
        z.strictObject({ id: z.string().check(z.regex(ID)), name: company }),
      ),
    }),
    z.transform(({ may_sign_up: maySignUp, ...rest }) => ({ ...rest, maySignUp })),
  ),
]);

/**
 * Sends mails and handles bounces and complaints. It has no HTTP route: only the roles of oauth, management and
 * maintenance may invoke it, asynchronously, and one EventBridge rule.
 * @throws Error for an event of another kind
 * @throws Fault when a neighbour fails: Lambda retries the event
 * Source: docs/decisions/accounts.md, "Who sends mails".
 */
export const server =
  (
    ports: PortsOf<typeof sendMail | typeof recordFeedback> &
      Pick<PlatformPorts, 'log'> & { readonly configurationSet: string },
  ) =>
  async (event: unknown): Promise<void> => {
    if (isFeedbackEvent(event)) {
      const feedback = readFeedback(event, ports.configurationSet);
      const recorded = feedback ? await recordFeedback(ports, feedback) : 0;
      ports.log.write({ message: 'mail_feedback', reason: feedback?.reason ?? 'none', recorded });
      return;
    }
    const request = readEvent(event);
    const outcome = await sendMail(ports, request);
    ports.log.write({ message: 'mail', purpose: request.purpose, outcome, request_id: request.id });
  };

const readEvent = (event: unknown): z.infer<typeof Event> => {
  const { success, data, error } = z.safeParse(Event, event);
  if (success) return data;
  const where = error.issues.map(({ path }) => path.join('.') || 'the event').join(', ');
  throw new Error(`not a request for a mail: ${where}`);
};
