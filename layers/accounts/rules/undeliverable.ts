import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';

/** An address that gets no more mails: it bounced permanently, or its reader marked a mail as spam. */
export const Undeliverable = z.object({
  reason: z.enum(['bounce', 'complaint']),
  since: z.int(),
});
export type Undeliverable = ValueOf<typeof Undeliverable>;

export interface MailFeedback {
  readonly reason: Undeliverable['reason'];
  /** Addresses as the mail was sent to them. */
  readonly recipients: readonly string[];
}

/** SES refuses mails from this sender or to this recipient. */
export class MailRejected extends Fault {
  /** @param by - name of the SES error; its text would contain the address */
  constructor(by: string) {
    super('ses', by);
  }
}
