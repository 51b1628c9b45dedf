import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { tables } from '../../lambdas/storage-manifest.ts';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { openConsole } from '../support/pages/console.ts';
import { mailsAt } from '../support/oauth/people.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const PASSWORD = 'kestrel umbrella fog';
const TEMPLATE = 'Which books about {{topic}}?';
const GUIDE = '# Guide';

/** Whose way it is; the names are of one length, so that sizes are equal too. */
interface Owner {
  readonly email: string;
  readonly slug: string;
}
const BY_CONSOLE: Owner = { email: 'one@example.com', slug: 'books-one' };
const BY_COMMAND: Owner = { email: 'two@example.com', slug: 'books-two' };

/** What is another at every time, and what says how somebody came in: put in place of each. */
const NORMALIZED: readonly (readonly [RegExp, string])[] = [
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>'],
  [/\b1[789]\d{8}\b/g, '<time>'],
  [/\b(SESSION|DEVICE|EMAIL|MAIL#sign_up)#[\da-f]{64}/g, '$1#<hash>'],
  [/("(?:accountHash|ownerUsage|secret)":{"S":)"[\da-f]{64}"/g, '$1"<hash>"'],
  // Of what is packed with the time of its version in it; it is compared unpacked.
  [/("sha256":{"S":)"[\da-f]{64}"/g, '$1"<hash>"'],
  [/("storedBytes":{"N":)"\d+"/g, '$1"<size>"'],
  [/scrypt\$[\w$-]+/g, '<password>'],
  [/"kind":{"S":"(?:browser|api)"}/g, '"kind":"<way in>"'],
  [/"userAgent":{"S":"[^"]*"}/g, '"userAgent":"<way in>"'],
  // The console sends all fields of a form, the command line what was said.
  [/"members":{"S":"[^"]*"}/g, '"members":"<way in>"'],
  [/("sk":{"S":")\d{4}-[\d:.TZ-]+#/g, '$1<time>#'],
];

/** The console tests a credential when it is set: the call that it makes, and that the credential was read for it. */
const OF_TEST = /^calls |"credential_access/;

inChromium('the journey of the README by console and by command line', () => {
  let service: WholeService;
  let chromium: Browser;
  let machine: TestMachine;
  let first: string;
  let second: string;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    machine = await aMachineFor();
    const text = (await readFile(SAMPLE_DESCRIPTION, 'utf8')).replace(
      /http:\/\/127\.0\.0\.1:\d+/,
      service.sampleApiUrl,
    );
    first = join(machine.folder, 'bookshop.yaml');
    second = join(machine.folder, 'bookshop-2.yaml');
    await writeFile(first, text);
    await writeFile(second, text.replace('operationId: getBookCover', 'operationId: showCover'));
  });
  afterAll(async () => {
    await Promise.all([chromium.close(), machine.remove()]);
    await service.stop();
  });

  const mailLink = async ({ email }: Owner): Promise<string> =>
    (await mailsAt(service)).findLast(({ to }) => to === email)?.link ?? '';

  const byConsole = async (owner: Owner): Promise<readonly string[]> => {
    const { email, slug } = owner;
    const { page, open, press, complaints } = await openConsole(service, chromium);
    const label = (name: string) => page.getByLabel(name, { exact: true });

    await open('/servers');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await label('E-mail address').fill(email);
    await page.getByRole('button').first().click();
    await page.waitForLoadState();
    await page.goto(await mailLink(owner));
    await label('Password').fill(PASSWORD);
    await label('Password again').fill(PASSWORD);
    await page.getByRole('button').first().click();
    await page.getByRole('heading', { name: 'Servers', exact: true }).waitFor();

    await open('/new');
    await page.setInputFiles('#description-file', first);
    await page.getByRole('checkbox', { name: /orders/ }).uncheck();
    await label('URL name').fill(slug);
    await press('Publish');
    await page.getByText('Next steps:').waitFor();

    await open(`/servers/${slug}/credentials`);
    await page.getByRole('radio', { name: /API key/ }).check();
    await label('Name of the key').fill('X-Api-Key');
    await label('Key').fill('sesame-0123456789');
    await press('Set it');
    await page.getByText('It is set.').waitFor();

    await open(`/servers/${slug}/access`);
    await page.getByRole('radio', { name: /These people/ }).check();
    await label('Addresses and domains').fill('ada@example.com\nexample.org');
    await press('Save');
    await page.locator('button:disabled', { hasText: 'Save' }).waitFor();

    await open(`/servers/${slug}/content/prompts`);
    await label('Name').fill('ask');
    await label('Template').fill(TEMPLATE);
    await press('Add topic');
    await press('Save');
    await page.waitForURL('**/prompts/ask');
    await open(`/servers/${slug}/content/resources`);
    await label('Name').fill('guide');
    await label('URI').fill('docs://guide');
    await label('Content').fill(GUIDE);
    await press('Save');
    await page.getByRole('link', { name: 'guide' }).waitFor();

    await open(`/servers/${slug}/versions`);
    await page.setInputFiles('#version-file', second);
    await press(/Publish as version 2/);
    await page.getByText('Version 2 is served.').waitFor();
    await press('Roll back (version 1)');
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('Version 1 is served.').waitFor();

    await open(`/servers/${slug}/settings`);
    await press('Pause it');
    await page.getByRole('button', { name: 'Resume it' }).waitFor();
    return complaints;
  };

  const byCommand = async (owner: Owner): Promise<void> => {
    const { email, slug } = owner;
    const run = async (line: string, input = ''): Promise<void> => {
      const said = await machine.run(line.split(' '), { input });
      if (said.code !== 0) throw new Error(`hosted-mcp ${line}: ${said.errors}`);
    };
    await run(`signup ${email} --url ${service.baseUrl}`);
    await run(`verify ${await mailLink(owner)} --password-stdin`, PASSWORD);
    await run(`login ${email} --password-stdin`, PASSWORD);
    await run(`deploy ${first} --slug ${slug} --exclude tag:orders`);
    await run(
      `credential set ${slug} --type api_key --name X-Api-Key --value-stdin`,
      'sesame-0123456789',
    );
    await run(`set ${slug} --allow ada@example.com --allow example.org`);
    await run(`prompt add ${slug} ask --file - --required topic`, TEMPLATE);
    await run(
      `resource add ${slug} guide --uri docs://guide --mime-type text/markdown --file -`,
      GUIDE,
    );
    await run(`deploy ${second} --slug ${slug}`);
    await run(`rollback ${slug} 1`);
    await run(`pause ${slug}`);
  };

  /** All that is stored, an entry for each item: its table and what it holds. Requests are counted elsewhere. */
  const stored = async (): Promise<ReadonlySet<string>> => {
    await service.aws.eventsSettled();
    const kept = (await service.kept()).filter(([name]) => name in tables && name !== 'limits');
    return new Set(
      kept.flatMap(([name, pages]) =>
        pages
          .split('\n')
          .flatMap((page) => JSON.parse(page) as readonly object[])
          .map((item) => `${name} ${JSON.stringify(readable(item))}`),
      ),
    );
  };

  /** What came to be on the way of an owner. */
  const made = (before: ReadonlySet<string>, after: ReadonlySet<string>, owner: Owner) =>
    [...after]
      .filter((item) => !before.has(item) && !OF_TEST.test(item))
      .map((item) =>
        NORMALIZED.reduce((text, [what, instead]) => text.replace(what, instead), item)
          .replaceAll(owner.email, 'OWNER')
          .replaceAll(owner.slug, 'SLUG'),
      )
      .sort();

  test('ends in equal tables', async () => {
    const nothing = await stored();
    const complaints = await byConsole(BY_CONSOLE);
    const one = await stored();
    await byCommand(BY_COMMAND);
    const both = await stored();

    expect(complaints).toEqual([]);
    expect(made(one, both, BY_COMMAND)).toEqual(made(nothing, one, BY_CONSOLE));
    expect(both.size - one.size).toBeGreaterThan(15);
  });
});

/** With names in one order, and with what is packed unpacked. */
const readable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  if ('B' in value) return { B: unpacked(Buffer.from(Object.values(value.B as object))) };
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, readable(member)]));
};

const unpacked = (bytes: Buffer): string => {
  try {
    // Random bytes may begin as an empty stream does.
    const text = brotliDecompressSync(bytes).toString();
    if (text !== '') return text;
  } catch {
    // Nothing compressed.
  }
  return `${bytes.length} bytes`;
};
