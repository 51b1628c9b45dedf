import type { Ports } from '../../ports.ts';
import type { SendMailPorts } from './send-mail.ts';

export { isEmail } from '../../domain/accounts/email.ts';
export { sendMail } from './send-mail.ts';

export type MailsPorts = SendMailPorts & Pick<Ports, 'log'>;
