import { Fault } from '../../platform/rules/fault.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

/** Why an address is not written to any more. */
type UndeliverableReason = 'bounce' | 'complaint';

/** An address that refused a mail for good, or whose reader called one spam. */
export interface Undeliverable {
  readonly reason: UndeliverableReason;
  readonly since: EpochSeconds;
}

/** What became of a mail, as its sender hears of it. */
export interface MailFeedback {
  readonly reason: UndeliverableReason;
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
