import { randomBytes } from 'node:crypto';
import { type Mailbox, writeMailbox, writeText } from './header.ts';

export interface Message {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A message as a mail program opens it. Source: RFC 5322, RFC 2045, RFC 2046 §5.1.4. */
export const writeMessage = (message: Message, messageId: string, sentAt: Date): string => {
  const { from, to, subject, text, html } = message;
  const boundary = `=_${randomBytes(18).toString('hex')}`;
  return [
    `Date: ${sentAt.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${messageId}@email.amazonses.com>`,
    `From: ${writeMailbox(from)}`,
    `To: ${to.map(writeMailbox).join(',\r\n ')}`,
    `Subject: ${writeText(subject)}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...part('plain', text),
    // The last alternative is the one that mail programs prefer.
    `--${boundary}`,
    ...part('html', html),
    `--${boundary}--`,
    '',
  ].join('\r\n');
};

const part = (subtype: 'plain' | 'html', content: string): readonly string[] => {
  const lines = content.split(/\r\n|\r|\n/);
  // With 8bit, people can copy the links of a mail from its file.
  const readable = lines.every((line) => Buffer.byteLength(line) <= 998) && !content.includes('\0');
  return [
    `Content-Type: text/${subtype}; charset=UTF-8`,
    `Content-Transfer-Encoding: ${readable ? '8bit' : 'base64'}`,
    '',
    ...(readable ? lines : wrapped(content)),
    '',
  ];
};

const wrapped = (content: string): readonly string[] =>
  Buffer.from(content)
    .toString('base64')
    .match(/.{1,76}/g) ?? [];
