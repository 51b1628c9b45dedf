import type { Ports } from '../../ports.ts';
import type { RecordFeedbackPorts } from './record-feedback.ts';
import type { SendMailPorts } from './send-mail.ts';

export type MailsPorts = SendMailPorts & RecordFeedbackPorts & Pick<Ports, 'log'>;
