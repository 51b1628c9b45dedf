import { randomUUID } from 'node:crypto';
import { ACCOUNT_ID, arnOf } from '../account.ts';
import { type Mailbox, writeMailbox } from './header.ts';
import type { Message } from './message.ts';

/** How the mailbox simulator answers. Source: Amazon SES Developer Guide, "Using the mailbox simulator manually". */
type Simulated = 'bounce' | 'complaint' | 'suppressionlist';

const SIMULATOR =
  /^(success|bounce|complaint|suppressionlist|ooto)(?:\+[^@]*)?@simulator\.amazonses\.com$/i;

/** @returns what the simulator does with mail to this address; undefined if mail only arrives there */
const simulated = ({ address }: Mailbox): Simulated | undefined => {
  const name = SIMULATOR.exec(address)?.[1]?.toLowerCase();
  return name === 'bounce' || name === 'complaint' || name === 'suppressionlist' ? name : undefined;
};

/** Addresses of the mailbox simulator need not be verified. */
export const isSimulator = (address: string): boolean => SIMULATOR.test(address);

export const arrives = (recipient: Mailbox): boolean => {
  const what = simulated(recipient);
  return what === undefined || what === 'complaint';
};

export interface SentMail {
  readonly id: string;
  readonly message: Message;
  readonly sentAt: Date;
  readonly region: string;
  readonly configurationSet: string;
}

/**
 * Events that SES sends to EventBridge about a mail, one for each recipient that bounces or complains.
 * Source: Amazon SES Developer Guide, "Contents of event data that Amazon SES publishes"; Amazon EventBridge Events
 * Reference, "Amazon Simple Email Service events".
 */
export const feedbackOn = (mail: SentMail): readonly object[] =>
  mail.message.to.flatMap((recipient) => {
    const what = simulated(recipient);
    if (what === undefined) return [];
    const { address: emailAddress } = recipient;
    const [timestamp, feedbackId] = [new Date().toISOString(), randomUUID()];
    if (what === 'complaint') {
      const complaint = {
        feedbackId,
        complaintSubType: null,
        complainedRecipients: [{ emailAddress }],
        timestamp,
        userAgent: 'Amazon SES Mailbox Simulator',
        complaintFeedbackType: 'abuse',
        arrivalDate: timestamp,
      };
      return [eventOf(mail, 'Email Complaint Received', { eventType: 'Complaint', complaint })];
    }
    const bounce = {
      feedbackId,
      bounceType: 'Permanent',
      bounceSubType: what === 'bounce' ? 'General' : 'Suppressed',
      bouncedRecipients: [
        {
          emailAddress,
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
        },
      ],
      timestamp,
      reportingMTA: 'dns; simulator.amazonses.com',
    };
    return [eventOf(mail, 'Email Bounced', { eventType: 'Bounce', bounce })];
  });

const eventOf = (mail: SentMail, detailType: string, detail: object): object => {
  const { id: messageId, message, sentAt, region, configurationSet } = mail;
  const from = message.from.address;
  const destination = message.to.map(({ address }) => address);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': detailType,
    source: 'aws.ses',
    account: ACCOUNT_ID,
    time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [arnOf('ses', region, `configuration-set/${configurationSet}`)],
    detail: {
      ...detail,
      mail: {
        timestamp: sentAt.toISOString(),
        messageId,
        source: from,
        sourceArn: arnOf('ses', region, `identity/${from}`),
        sendingAccountId: ACCOUNT_ID,
        destination,
        headersTruncated: false,
        headers: [
          { name: 'From', value: writeMailbox(message.from) },
          { name: 'To', value: message.to.map(writeMailbox).join(', ') },
          { name: 'Subject', value: message.subject },
        ],
        commonHeaders: { from: [from], to: destination, messageId, subject: message.subject },
        tags: {
          'ses:configuration-set': [configurationSet],
          'ses:from-domain': [from.slice(from.lastIndexOf('@') + 1)],
        },
      },
    },
  };
};
