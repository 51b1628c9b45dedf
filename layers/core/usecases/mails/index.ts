import type { Ports } from '../../ports.ts';
import type { RecordFeedbackPorts } from './record-feedback.ts';
import type { SendMailPorts } from './send-mail.ts';

export type { MailFeedback } from '../../domain/accounts/undeliverable.ts';
export { isSlug } from '../../domain/deployments/slug.ts';
export { isEmail } from '../../domain/accounts/email.ts';
export { recordFeedback } from './record-feedback.ts';
export { sendMail } from './send-mail.ts';

export type MailsPorts = SendMailPorts & RecordFeedbackPorts & Pick<Ports, 'log'>;
