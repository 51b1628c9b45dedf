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
import { startTestAws, type TestAws } from '../../support/aws/aws.ts';

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
  Subject: { Data: 'Welcome', Charset: 'UTF-8' },
  Body: { Text: { Data: 'Hello' }, Html: { Data: '<p>Hello</p>' } },
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

describe('a mail in the outbox of the embedded SES', () => {
  test('has the text, the HTML and the headers that were sent', async () => {
    const mail = await sent({});

    const [, boundary] = /boundary="([^"]+)"/.exec(mail)!;
    const stable = mail
      .replace(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000\r\n/, '')
      .replace(/^Message-ID: <[\w-]+@email\.amazonses\.com>\r\n/, '')
      .replaceAll(boundary!, 'BOUNDARY');
    expect(stable.split('\r\n')).toEqual([
      'From: service@example.com',
      'To: user@example.net',
      'Subject: Welcome',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary="BOUNDARY"',
      '',
      '--BOUNDARY',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Hello',
      '',
      '--BOUNDARY',
      'Content-Type: text/html; charset=UTF-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      '<p>Hello</p>',
      '',
      '--BOUNDARY--',
      '',
    ]);
  });

  test('has text that is not ASCII in encoded words of whole characters', async () => {
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

  test('names its sender and its readers', async () => {
    const mail = await sent({
      FromEmailAddress: '"Hosted, MCP" <service@example.com>',
      Destination: { ToAddresses: ['a@example.net', 'B <b@example.net>'] },
    });

    expect(mail).toContain('\r\nFrom: "Hosted, MCP" <service@example.com>\r\n');
    expect(mail).toContain('\r\nTo: a@example.net,\r\n "B" <b@example.net>\r\n');
  });

  test('has long links in one line, and lines that are too long for a mail in Base64', async () => {
    const link = `https://example.com/verify?token=${'t'.repeat(200)}`;
    const Html = { Data: '' };
    const readable = { Text: { Data: `one\n${link}\ntwo` }, Html };
    const long = { Text: { Data: 'ä'.repeat(600) }, Html };

    expect(await sent({ Content: { Simple: aMessage({ Body: readable }) } })).toContain(
      `\r\none\r\n${link}\r\ntwo\r\n`,
    );
    await rm(join(aws.dataFolder, 'outbox', (await outbox())[0]!.name));

    const encoded = await sent({ Content: { Simple: aMessage({ Body: long }) } });
    const [, head, body] = encoded.split('\r\n\r\n');
    expect(head).toContain('Content-Transfer-Encoding: base64');
    expect(body!.split('\r\n').every((line) => line.length <= 76)).toBe(true);
    expect(Buffer.from(body!, 'base64').toString()).toBe('ä'.repeat(600));
  });

  test('may come from a verified address in any case of letters', async () => {
    expect(await sent({ FromEmailAddress: 'ONE@example.org' })).toContain('From: ONE@example.org');
  });
});

describe('a mail', () => {
  const simple = (more: Partial<Message>) => ({ Content: { Simple: aMessage(more) } });
  test.each([
    [
      'from an address that is not verified',
      { FromEmailAddress: 'two@example.org' },
      'MessageRejected',
    ],
    ['from a subdomain', { FromEmailAddress: 'x@sub.example.com' }, 'MessageRejected'],
    ['without a sender', { FromEmailAddress: undefined }, 'BadRequestException'],
    ['without a reader', { Destination: {} }, 'BadRequestException'],
    [
      'to more than 50 readers',
      { Destination: { ToAddresses: Array.from({ length: 51 }, () => 'a@example.net') } },
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
    ['without a body', simple({ Body: {} }), 'BadRequestException'],
    [
      'with an unknown charset',
      simple({ Subject: { Data: 'x', Charset: 'EBCDIC' } }),
      'BadRequestException',
    ],
    [
      'with a hidden reader',
      { Destination: { ToAddresses: ['a@example.net'], BccAddresses: ['b@example.net'] } },
      'BadRequestException',
    ],
    [
      'with headers of its own',
      simple({ Headers: [{ Name: 'X-A', Value: 'x' }] }),
      'BadRequestException',
    ],
    ['without HTML', simple({ Body: { Text: { Data: 'Hello' } } }), 'BadRequestException'],
    [
      'as it is',
      { Content: { Raw: { Data: Buffer.from('From: service@example.com\r\n\r\n') } } },
      'BadRequestException',
    ],
    ['from a template', { Content: { Template: { TemplateName: 'x' } } }, 'BadRequestException'],
  ])('is refused %s', async (_, input, name) => {
    await expect(send(input as Partial<SendEmailCommandInput>)).rejects.toMatchObject({ name });
    expect(await outbox()).toEqual([]);
  });

  test('is all that the embedded SES takes', async () => {
    await expect(ses.send(new GetAccountCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

describe('a configuration set of the embedded SES', () => {
  const events: { readonly [name: string]: unknown }[] = [];
  beforeAll(() => {
    aws.aws.createConfigurationSet('feedback', 'mails');
    aws.aws.onInvoke(async (name, payload) => {
      expect(name).toBe('mails');
      events.push(JSON.parse(payload));
      return { payload: 'null' };
    });
  });
  const sendTo = async (address: string, ConfigurationSetName: string | undefined = 'feedback') => {
    events.splice(0);
    const { MessageId } = await send({
      Destination: { ToAddresses: [address] },
      ConfigurationSetName,
    });
    await aws.aws.eventsSettled();
    return MessageId;
  };
  const mail = (messageId: string | undefined, destination: string) => ({
    messageId,
    source: 'service@example.com',
    sourceArn: 'arn:aws:ses:us-east-1:000000000000:identity/service@example.com',
    sendingAccountId: '000000000000',
    destination: [destination],
    tags: expect.objectContaining({ 'ses:configuration-set': ['feedback'] }),
  });
  const about = {
    version: '0',
    source: 'aws.ses',
    account: '000000000000',
    region: 'us-east-1',
    resources: ['arn:aws:ses:us-east-1:000000000000:configuration-set/feedback'],
  };

  test.each([
    ['bounce', 'General'],
    ['suppressionlist', 'Suppressed'],
  ])('tells of a mail to %s@simulator.amazonses.com, which does not arrive', async (name, type) => {
    const address = `${name}@simulator.amazonses.com`;
    const id = await sendTo(address);

    expect(events).toEqual([
      expect.objectContaining({
        ...about,
        'detail-type': 'Email Bounced',
        time: expect.stringMatching(/^[\d-]{10}T[\d:]{8}Z$/),
        detail: {
          eventType: 'Bounce',
          bounce: expect.objectContaining({
            bounceType: 'Permanent',
            bounceSubType: type,
            bouncedRecipients: [expect.objectContaining({ emailAddress: address })],
          }),
          mail: expect.objectContaining(mail(id, address)),
        },
      }),
    ]);
    expect(await outbox()).toEqual([]);
  });

  test('reports a mail to complaint@simulator.amazonses.com, which arrives', async () => {
    const address = 'complaint@simulator.amazonses.com';
    const id = await sendTo(address);

    expect(events).toEqual([
      expect.objectContaining({
        ...about,
        'detail-type': 'Email Complaint Received',
        detail: {
          eventType: 'Complaint',
          complaint: expect.objectContaining({
            complainedRecipients: [{ emailAddress: address }],
          }),
          mail: expect.objectContaining(mail(id, address)),
        },
      }),
    ]);
    expect(await outbox()).toHaveLength(1);
  });

  test('says nothing of mails that arrive, or were sent without it', async () => {
    await sendTo('success@simulator.amazonses.com');
    expect(events).toEqual([]);
    await send({ Destination: { ToAddresses: ['bounce@simulator.amazonses.com'] } });
    await aws.aws.eventsSettled();
    expect(events).toEqual([]);
  });

  test('has to be there', async () => {
    await expect(sendTo('user@example.net', 'another')).rejects.toMatchObject({
      name: 'NotFoundException',
      message: 'Configuration set <another> does not exist.',
    });
    expect(await outbox()).toEqual([]);
  });
});
