import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { sesMailer } from '../../../layers/accounts/mails/ses-mailer.ts';
import type { Mail } from '../../../layers/accounts/rules/records.ts';
import { connectionOf, startTestAws } from '../../support/aws/aws.ts';

const aws = await startTestAws({ mailIdentities: ['mcp.example.com'] });
afterAll(() => aws.stop());
afterEach(async () => {
  aws.aws.faults.clear();
  aws.aws.calls.reset();
  for (const name of await readdir(outbox())) await rm(join(outbox(), name));
});

const outbox = () => join(aws.dataFolder, 'outbox');
const mails = async () => {
  const names = await readdir(outbox());
  return Promise.all(names.map((name) => readFile(join(outbox(), name), 'utf8')));
};

const aMail = (over: Partial<Mail> = {}): Mail => ({
  to: 'ada@example.com',
  subject: 'Confirm your e-mail address',
  text: 'Open https://mcp.example.com/verify?token=a',
  html: '<p><a href="https://mcp.example.com/verify?token=a">Confirm</a></p>',
  ...over,
});

const mailer = (from = 'Hosted MCP <no-reply@mcp.example.com>') => {
  const { endpoint, region, credentials } = connectionOf(aws.aws, 'test');
  const configurationSet = aws.mailConfigurationSet;
  return sesMailer({ endpoint, region, credentials }, { from, configurationSet });
};
const send = async (mail: Mail) => {
  await mailer().send(mail);
  const [sent, ...others] = await mails();
  expect(others).toEqual([]);
  return sent!;
};
const headersOf = (mail: string) => mail.split('\r\n\r\n', 1)[0]!.split('\r\n');

describe('an email', () => {
  test('is sent to one recipient as text and as HTML', async () => {
    const mail = await send(aMail());

    expect(headersOf(mail)).toEqual(
      expect.arrayContaining([
        'From: "Hosted MCP" <no-reply@mcp.example.com>',
        'To: ada@example.com',
        'Subject: Confirm your e-mail address',
        expect.stringMatching(/^Content-Type: multipart\/alternative; boundary=/),
      ]),
    );
    const [text, html] = ['text/plain', 'text/html'].map((type) =>
      mail.indexOf(`Content-Type: ${type}; charset=UTF-8`),
    );
    expect(text).toBeGreaterThan(0);
    expect(html).toBeGreaterThan(text!);
    expect(mail).toContain(aMail().text);
    expect(mail).toContain(aMail().html);
  });

  test('may be in any script', async () => {
    const mail = await send(aMail({ subject: 'Übung 鍵', text: 'Grüße' }));

    const [, word = ''] = /^Subject: =\?UTF-8\?B\?(.+)\?=$/im.exec(mail) ?? [];
    expect(Buffer.from(word, 'base64').toString()).toBe('Übung 鍵');
    expect(mail).toContain('Grüße');
  });

  test.each([
    ['a line break', 'Hello\r\nBcc: eve@evil.example', 'Hello Bcc: eve@evil.example'],
    ['a bare line feed', 'Hello\nBcc: eve@evil.example', 'Hello Bcc: eve@evil.example'],
    ['a line separator', 'Hello\u2028there', 'Hello there'],
    ['other control characters', 'Hel\u0000\u001b[31mlo\u0085', 'Hel [31mlo '],
  ])('cannot gain a header through its subject: %s', async (_, subject, written) => {
    const headers = headersOf(await send(aMail({ subject })));

    expect(headers.filter((line) => /^bcc/i.test(line))).toEqual([]);
    expect(headers.find((line) => line.startsWith('Subject: '))?.trimEnd()).toBe(
      `Subject: ${written}`.trimEnd(),
    );
  });

  test.each([
    'ada@example.com, eve@evil.example',
    'ada@example.com;eve@evil.example',
    'ada@example.com\r\nBcc: eve@evil.example',
    'ada@example.com\n',
    'Ada <ada@example.com>',
    'Ada ada@example.com',
    '"ada"@example.com',
    'ada@example.com@evil.example',
    'ada@[192.0.2.1]',
    'ada(comment)@example.com',
    'ada@exa\u202emple.com',
    'ada',
    '@example.com',
    'ada@',
    '',
  ])('is not sent to the recipient %j', async (to) => {
    await expect(mailer().send(aMail({ to }))).rejects.toThrow(
      new TypeError('the recipient is not one plain address'),
    );
    expect(await mails()).toEqual([]);
  });

  test.each(['ada+mcp@example.com', "o'brien@example.co.uk", 'a.b_c-d@sub.example.org'])(
    'is sent to the recipient %s',
    async (to) => {
      expect(headersOf(await send(aMail({ to })))).toContain(`To: ${to}`);
    },
  );
});

describe('an email that cannot be sent', () => {
  test.each(['a..da@example.com', '.ada@example.com', 'ada.@example.com', 'ada@example'])(
    'is one to %s, which SES refuses however often it comes',
    async (to) => {
      expect(mailer().takes(to)).toBe(false);
      await expect(mailer().send(aMail({ to }))).rejects.toThrow('ses: BadRequestException');
    },
  );

  test('is none to the own host of the sender, as the local service has it', async () => {
    const own = mailer('Hosted MCP <hosted-mcp@localhost>');
    expect(own.takes('owner@localhost')).toBe(true);
    expect(mailer().takes('owner@localhost')).toBe(false);
  });

  test('is reported as a fault where the sender address is not verified', async () => {
    await expect(mailer('eve@evil.example').send(aMail())).rejects.toMatchObject({
      name: 'Fault',
      message: 'ses: MessageRejected',
    });
  });

  test.each(['fail', 'throttle', 'drop'] as const)('is reported as a fault: %s', async (kind) => {
    aws.aws.faults.inject({ kind, on: { service: 'ses' } });

    await expect(mailer().send(aMail())).rejects.toMatchObject({ neighbour: 'ses' });
  });
});
