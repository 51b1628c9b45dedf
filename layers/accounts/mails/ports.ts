import type { PlatformPorts } from '../../platform/ports.ts';
import type { RecordFeedbackPorts } from './record-feedback.ts';
import type { SendMailPorts } from './send-mail.ts';

export type MailsPorts = SendMailPorts & RecordFeedbackPorts & Pick<PlatformPorts, 'log'>;
