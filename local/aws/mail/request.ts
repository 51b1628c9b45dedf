import {
  blob,
  invalid,
  optionalObject,
  optionalText,
  refuseMembers,
  text,
  textList,
} from '../wire/fields.ts';
import type { Json } from '../wire/json.ts';
import { oneLine, readMailbox } from './header.ts';
import type { Message } from './message.ts';

export type SentMail =
  | { readonly kind: 'simple'; readonly message: Message }
  | { readonly kind: 'raw'; readonly from: string; readonly content: Buffer };

const MAX_RECIPIENTS = 50;

/** What SendEmail is asked to send. @throws AwsRefusal */
export const readMail = (input: Json): SentMail => {
  refuseMembers(input, 'ConfigurationSetName', 'EndpointId', 'TenantName', 'ListManagementOptions');
  const content = optionalObject(input, 'Content') ?? {};
  refuseMembers(content, 'Template');
  const simple = optionalObject(content, 'Simple');
  const raw = optionalObject(content, 'Raw');
  if (simple && !raw) return { kind: 'simple', message: readSimple(input, simple) };
  if (raw && !simple) return readRaw(input, blob(raw, 'Data'));
  throw invalid('Content must be one of Simple and Raw.');
};

const readSimple = (input: Json, simple: Json): Message => {
  refuseMembers(simple, 'Attachments');
  const destination = optionalObject(input, 'Destination') ?? {};
  const to = textList(destination, 'ToAddresses').map(readMailbox);
  const cc = textList(destination, 'CcAddresses').map(readMailbox);
  const bcc = textList(destination, 'BccAddresses').map(readMailbox);
  const recipients = to.length + cc.length + bcc.length;
  if (recipients < 1 || recipients > MAX_RECIPIENTS) {
    throw invalid(`A mail must have 1 to ${MAX_RECIPIENTS} recipients.`);
  }
  const body = optionalObject(simple, 'Body') ?? {};
  const message = {
    from: readMailbox(text(input, 'FromEmailAddress')),
    to,
    cc,
    replyTo: textList(input, 'ReplyToAddresses').map(readMailbox),
    subject: oneLine(dataOf(simple, 'Subject') ?? '', 'The subject'),
    text: dataOf(body, 'Text'),
    html: dataOf(body, 'Html'),
    headers: headersOf(simple),
  };
  if (message.subject === '') throw invalid('The subject is missing.');
  if (message.text === undefined && message.html === undefined)
    throw invalid('The body is missing.');
  return message;
};

const readRaw = (input: Json, content: Buffer): SentMail => {
  // Headers end at the first empty line; a folded line belongs to the one before.
  const [head = ''] = content.toString('latin1').split(/\r?\n\r?\n/, 1);
  const headers = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  if (!headers.every((line) => /^[!-9;-~]+:/.test(line)))
    throw invalid('The headers are not valid.');
  const froms = headers.filter((line) => /^from:/i.test(line));
  const from = optionalText(input, 'FromEmailAddress') ?? froms[0]?.slice('from:'.length);
  if (froms.length !== 1 || from === undefined) throw invalid('The mail must have one sender.');
  return { kind: 'raw', from: readMailbox(from).address, content };
};

const dataOf = (parent: Json, name: string): string | undefined => {
  const content = optionalObject(parent, name);
  if (!content) return undefined;
  if (!/^utf-8$/i.test(optionalText(content, 'Charset') ?? 'utf-8')) {
    throw invalid('A charset other than UTF-8 is not implemented here.');
  }
  return text(content, 'Data');
};

// Those that the message gets from elsewhere, as SES refuses them too.
const RESERVED =
  /^(bcc|cc|content-.*|date|from|message-id|mime-version|reply-to|return-path|sender|subject|to)$/i;

const headersOf = (simple: Json): Message['headers'] => {
  const sent = simple['Headers'] ?? [];
  if (!Array.isArray(sent)) throw invalid('Headers must be a list.');
  return sent.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) throw invalid('A header is not valid.');
    const name = text(item as Json, 'Name');
    const value = text(item as Json, 'Value');
    if (!/^[A-Za-z0-9-]{1,126}$/.test(name) || RESERVED.test(name)) {
      throw invalid('The name of a header is not allowed.');
    }
    if (!/^[\x20-\x7e]{1,870}$/.test(value)) throw invalid(`The header ${name} is not valid.`);
    return [name, value] as const;
  });
};
