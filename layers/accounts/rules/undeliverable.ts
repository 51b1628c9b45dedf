import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';

/** An address that is not written to any more: it refused a mail for good, or its reader called one spam. */
export const Undeliverable = z.object({
  reason: z.enum(['bounce', 'complaint']),
  since: z.int(),
});
export type Undeliverable = ValueOf<typeof Undeliverable>;

export interface MailFeedback {
  readonly reason: Undeliverable['reason'];
  /** As the mail was addressed. */
  readonly recipients: readonly string[];
}

/** The service that sends mails takes none from this sender, or none to this recipient. */
export class MailRejected extends Fault {
  /** @param by - what it calls the error; its text has the address in it */
  constructor(by: string) {
    super('ses', by);
  }
}
