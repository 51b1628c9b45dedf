import { randomBytes } from 'node:crypto';
import { type Mailbox, writeMailbox, writeText } from './header.ts';

export interface Message {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  readonly text: string | undefined;
  readonly html: string | undefined;
  /** Further headers; plain, one line each. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A message as a mail program opens it. Source: RFC 5322, RFC 2045, RFC 2046 §5.1.4. */
export const writeMessage = (message: Message, messageId: string, sentAt: Date): string => {
  const { from, to, cc, replyTo, subject, text, html, headers } = message;
  return [
    ...envelopeHeaders(messageId, sentAt),
    header('From', writeMailbox(from)),
    ...addresses('To', to),
    ...addresses('Cc', cc),
    ...addresses('Reply-To', replyTo),
    header('Subject', writeText(subject)),
    ...headers.map(([name, value]) => header(name, value)),
    header('MIME-Version', '1.0'),
    bodyOf(text, html),
  ].join('\r\n');
};

export const envelopeHeaders = (messageId: string, sentAt: Date): readonly string[] => [
  header('Date', sentAt.toUTCString().replace('GMT', '+0000')),
  header('Message-ID', `<${messageId}@email.amazonses.com>`),
];

const header = (name: string, value: string): string => `${name}: ${value}`;

const addresses = (name: string, mailboxes: readonly Mailbox[]): readonly string[] =>
  mailboxes.length === 0 ? [] : [header(name, mailboxes.map(writeMailbox).join(',\r\n '))];

const bodyOf = (text: string | undefined, html: string | undefined): string => {
  const parts = [
    ...(text === undefined ? [] : [part('plain', text)]),
    ...(html === undefined ? [] : [part('html', html)]),
  ];
  if (parts.length === 1) return parts.join('');
  const boundary = `=_${randomBytes(18).toString('hex')}`;
  return [
    header('Content-Type', `multipart/alternative; boundary="${boundary}"`),
    '',
    // The last alternative is the one that mail programs prefer.
    ...parts.flatMap((content) => [`--${boundary}`, content]),
    `--${boundary}--`,
    '',
  ].join('\r\n');
};

const part = (subtype: 'plain' | 'html', content: string): string => {
  const lines = content.split(/\r\n|\r|\n/);
  // Readable where the format allows it: links in a verification mail are to be copied.
  const readable = lines.every((line) => Buffer.byteLength(line) <= 998) && !content.includes('\0');
  return [
    header('Content-Type', `text/${subtype}; charset=UTF-8`),
    header('Content-Transfer-Encoding', readable ? '8bit' : 'base64'),
    '',
    ...(readable ? lines : wrapped(content)),
    '',
  ].join('\r\n');
};

const wrapped = (content: string): readonly string[] =>
  Buffer.from(content)
    .toString('base64')
    .match(/.{1,76}/g) ?? [];
