import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GetAccountCommand,
  type Message,
  type SendEmailCommandInput,
  SendEmailCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { startTestAws, type TestAws } from '../../support/aws.ts';

let aws: TestAws;
let ses: SESv2Client;

beforeAll(async () => {
  aws = await startTestAws({ mailIdentities: ['example.com', 'One@Example.org'] });
  ses = aws.client(SESv2Client);
});
afterAll(() => aws.stop());

const outbox = async () => {
  const folder = join(aws.dataFolder, 'outbox');
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, content: await readFile(join(folder, name), 'utf8') })),
  );
};
afterEach(async () => {
  for (const { name } of await outbox()) await rm(join(aws.dataFolder, 'outbox', name));
});

const send = (input: Partial<SendEmailCommandInput>) =>
  ses.send(
    new SendEmailCommand({
      FromEmailAddress: 'service@example.com',
      Destination: { ToAddresses: ['user@example.net'] },
      Content: { Simple: aMessage() },
      ...input,
    }),
  );

const aMessage = (more: Partial<Message> = {}): Message => ({
  Subject: { Data: 'Welcome' },
  Body: { Text: { Data: 'Hello' } },
  ...more,
});

const sent = async (input: Partial<SendEmailCommandInput>) => {
  const { MessageId } = await send(input);
  const [mail, ...others] = await outbox();
  expect(others).toEqual([]);
  expect(mail!.name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-.+\.eml$/);
  expect(mail!.name).toContain(MessageId!);
  return mail!.content;
};

describe('a mail in the outbox', () => {
  test('is what was sent', async () => {
    const mail = await sent({});

    const stable = mail
      .replace(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000\r\n/, '')
      .replace(/^Message-ID: <[\w-]+@email\.amazonses\.com>\r\n/, '');
    expect(stable.split('\r\n')).toEqual([
      'From: service@example.com',
      'To: user@example.net',
      'Subject: Welcome',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Hello',
      '',
    ]);
  });

  test('has text first and HTML last', async () => {
    const Body = { Text: { Data: 'Grüße' }, Html: { Data: '<p>Grüße</p>' } };

    const mail = await sent({ Content: { Simple: aMessage({ Body }) } });

    const boundary = /multipart\/alternative; boundary="([^"]+)"/.exec(mail)![1]!;
    const parts = mail.split(`--${boundary}`);
    expect(parts).toHaveLength(4);
    expect(parts[1]).toBe(
      '\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGrüße\r\n\r\n',
    );
    expect(parts[2]).toContain('Content-Type: text/html; charset=UTF-8');
    expect(parts[2]).toContain('<p>Grüße</p>');
    expect(parts[3]).toBe('--\r\n');
  });

  test('encodes what is not ASCII in its headers, whole characters per word', async () => {
    const Subject = { Data: '🎉 Willkommen, schöne Grüße aus Österreich und von überall her 🎉' };

    const mail = await sent({
      FromEmailAddress: 'Jörg <service@example.com>',
      Content: { Simple: aMessage({ Subject }) },
    });

    const decode = (header: string) =>
      [...header.matchAll(/=\?UTF-8\?B\?([^?]+)\?=/g)]
        .map(([word, base64]) => {
          expect(word.length).toBeLessThanOrEqual(75);
          return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64!, 'base64'));
        })
        .join('');
    const [, subject] = /^Subject: ((?:.|\r\n )*)\r\n/m.exec(mail)!;
    const [, from] = /^From: (.*)\r\n/m.exec(mail)!;
    expect(decode(subject!)).toBe(Subject.Data);
    expect(decode(from!)).toBe('Jörg');
    expect(from).toMatch(/ <service@example\.com>$/);
  });

  test('names its readers, but not the hidden ones', async () => {
    const mail = await sent({
      FromEmailAddress: '"Hosted, MCP" <service@example.com>',
      Destination: {
        ToAddresses: ['a@example.net', 'B <b@example.net>'],
        CcAddresses: ['c@example.net'],
        BccAddresses: ['hidden@example.net'],
      },
      ReplyToAddresses: ['help@example.com'],
    });

    expect(mail).toContain('\r\nFrom: "Hosted, MCP" <service@example.com>\r\n');
    expect(mail).toContain('\r\nTo: a@example.net,\r\n "B" <b@example.net>\r\n');
    expect(mail).toContain('\r\nCc: c@example.net\r\n');
    expect(mail).toContain('\r\nReply-To: help@example.com\r\n');
    expect(mail).not.toContain('hidden');
  });

  test('keeps long links whole, and encodes lines that are too long for a mail', async () => {
    const link = `https://example.com/verify?token=${'t'.repeat(200)}`;
    const readable = { Text: { Data: `one\n${link}\ntwo` } };
    const long = { Text: { Data: 'ä'.repeat(600) } };

    expect(await sent({ Content: { Simple: aMessage({ Body: readable }) } })).toContain(
      `\r\none\r\n${link}\r\ntwo\r\n`,
    );
    await rm(join(aws.dataFolder, 'outbox', (await outbox())[0]!.name));

    const encoded = await sent({ Content: { Simple: aMessage({ Body: long }) } });
    const [head, body] = encoded.split('\r\n\r\n');
    expect(head).toContain('Content-Transfer-Encoding: base64');
    expect(body!.split('\r\n').every((line) => line.length <= 76)).toBe(true);
    expect(Buffer.from(body!, 'base64').toString()).toBe('ä'.repeat(600));
  });

  test('carries further headers', async () => {
    const Headers = [{ Name: 'List-Unsubscribe', Value: '<https://example.com/u>' }];

    const mail = await sent({ Content: { Simple: aMessage({ Headers }) } });

    expect(mail).toContain('\r\nList-Unsubscribe: <https://example.com/u>\r\n');
  });

  test('may be sent raw, then with id and date of the service', async () => {
    const raw = [
      'From: Service',
      ' <service@example.com>',
      'To: user@example.net',
      'Message-ID: <mine@example.com>',
      'Bcc: hidden@example.net',
      'Subject: Raw',
      '',
      'Bcc: not a header',
    ].join('\r\n');

    const mail = await sent({
      FromEmailAddress: undefined,
      Content: { Raw: { Data: Buffer.from(raw) } },
    });

    expect(mail).toMatch(
      /^Date: .*\r\nMessage-ID: <[\w-]+@email\.amazonses\.com>\r\nFrom: Service\r\n <s/,
    );
    expect(mail).not.toContain('mine@example.com');
    expect(mail).not.toContain('hidden');
    expect(mail).toMatch(/\r\nSubject: Raw\r\n\r\nBcc: not a header$/);
  });

  test('may come from a verified address in any case of letters', async () => {
    expect(await sent({ FromEmailAddress: 'ONE@example.org' })).toContain('From: ONE@example.org');
  });
});

describe('a mail is refused', () => {
  const simple = (more: Partial<Message>) => ({ Content: { Simple: aMessage(more) } });
  const raw = (text: string) => ({
    FromEmailAddress: undefined,
    Content: { Raw: { Data: Buffer.from(text) } },
  });
  test.each([
    [
      'from an address that is not verified',
      { FromEmailAddress: 'two@example.org' },
      'MessageRejected',
    ],
    ['from a subdomain', { FromEmailAddress: 'x@sub.example.com' }, 'MessageRejected'],
    [
      'raw from an address that is not verified',
      raw('From: x@example.net\r\n\r\n'),
      'MessageRejected',
    ],
    ['without a sender', { FromEmailAddress: undefined }, 'BadRequestException'],
    ['without a reader', { Destination: {} }, 'BadRequestException'],
    [
      'to more than 50 readers',
      { Destination: { BccAddresses: Array.from({ length: 51 }, () => 'a@example.net') } },
      'BadRequestException',
    ],
    [
      'to two addresses in one',
      { Destination: { ToAddresses: ['a@b.net, c@d.net'] } },
      'BadRequestException',
    ],
    [
      'with a header in the sender',
      { FromEmailAddress: 'x\r\nBcc: all@example.net <service@example.com>' },
      'BadRequestException',
    ],
    [
      'with a header in a reader',
      { Destination: { ToAddresses: ['a@example.net\nBcc: b@example.net'] } },
      'BadRequestException',
    ],
    [
      'with a header in the subject',
      simple({ Subject: { Data: 'x\r\nBcc: all@example.net' } }),
      'BadRequestException',
    ],
    [
      'with a line break in a header',
      simple({ Headers: [{ Name: 'X-A', Value: 'x\r\nBcc: all@example.net' }] }),
      'BadRequestException',
    ],
    [
      'with a header that the service sets',
      simple({ Headers: [{ Name: 'bcc', Value: 'all@example.net' }] }),
      'BadRequestException',
    ],
    ['without a body', simple({ Body: {} }), 'BadRequestException'],
    [
      'with an unknown charset',
      simple({ Subject: { Data: 'x', Charset: 'EBCDIC' } }),
      'BadRequestException',
    ],
    [
      'raw with two senders',
      raw('From: a@example.com\nFrom: b@example.com\n\n'),
      'BadRequestException',
    ],
    [
      'raw with something else than headers',
      raw('Hello\r\n\r\nFrom: a@example.com'),
      'BadRequestException',
    ],
    ['from a template', { Content: { Template: { TemplateName: 'x' } } }, 'BadRequestException'],
  ])('%s', async (_, input, name) => {
    await expect(send(input as Partial<SendEmailCommandInput>)).rejects.toMatchObject({ name });
    expect(await outbox()).toEqual([]);
  });

  test('and so is what is not implemented', async () => {
    await expect(ses.send(new GetAccountCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});
