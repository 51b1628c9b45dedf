import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const operation = (operationId: string) => ({
  operationId,
  responses: { 200: { description: 'Done.' } },
});
const description = (methods: Readonly<Record<string, string>>) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Books', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/books': Object.fromEntries(
        Object.entries(methods).map(([method, id]) => [method, operation(id)]),
      ),
    },
  });
const READS = description({ get: 'listBooks' });
const WRITES = description({ get: 'listBooks', delete: 'removeBooks' });
const CREDENTIAL = { type: 'bearer', token: 'aeT3zah9Ohsh7Ien5uyo' };
const WRITTEN = 'Write an address as ada@example.com, or a domain as example.org.';
const OPEN = { mcp_auth_method: 'none' };

inChromium('letting in people whom the owner cannot know, in the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({ active_deployments_per_user: 1000 }),
      launchChromium(),
    ]);
    owner = await signedIn(service);
    console = await openConsole(service, chromium);
    page = console.page;
    await console.signIn(owner.person);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  const published = async (openapi: string, over: object = {}): Promise<string> => {
    const { status, body } = await owner.send('POST', '/deployments', { openapi, ...over });
    expect(status).toBe(201);
    return String(body['slug']);
  };
  const stateOf = async (slug: string) => (await owner.send('GET', `/deployments/${slug}`)).body;
  const file = (text: string) => ({
    name: 'books.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });

  /** Presses, reads what is asked, and answers. */
  const asked = async (button: string | RegExp, answer: string): Promise<string> => {
    await console.press(button);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await consoleFaults(page)).toEqual({});
    const said = await dialog.innerText();
    await dialog.getByRole('button', { name: answer }).click();
    await dialog.waitFor({ state: 'detached' });
    return said;
  };

  test('a server with a credential and a DELETE is opened to everybody only after an answer', async () => {
    const slug = await published(WRITES);
    await owner.send('PUT', `/deployments/${slug}/credential`, CREDENTIAL);
    await console.open(`/servers/${slug}/access`);
    await page.getByRole('radio', { name: /^Public Nobody signs in/ }).check();

    expect(await asked('Save', 'Cancel')).toContain(
      'Anybody on the internet could call 2 tools, 1 of which changes something, with its credential.',
    );
    expect(await stateOf(slug)).toMatchObject({ mcp_auth_method: 'oauth' });

    await asked('Save', 'Let them in');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    expect(await stateOf(slug)).toMatchObject({ mcp_auth_method: 'none' });
  });

  test('one that only reads, without a credential, is opened without a question', async () => {
    const slug = await published(READS);
    await console.open(`/servers/${slug}/access`);
    await page.getByRole('radio', { name: /^Public Nobody signs in/ }).check();
    await console.press('Save');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });

    expect(await stateOf(slug)).toMatchObject({ mcp_auth_method: 'none' });
  });

  test('everybody with an account is asked about as well', async () => {
    const slug = await published(WRITES);
    await console.open(`/servers/${slug}/access`);
    await page.getByRole('radio', { name: 'Everybody with an account here' }).check();

    expect(await asked('Save', 'Cancel')).toContain(
      'Everybody with an account here could call 2 tools',
    );
    expect(await stateOf(slug)).toMatchObject({ access: { mode: 'owner' } });
  });

  test('an allow list is a line each: what it means, why it is refused, and what is asked about', async () => {
    const slug = await published(READS);
    await console.open(`/servers/${slug}/access`);
    await page.getByRole('radio', { name: /^These people/ }).check();
    const lines = page.getByLabel('Addresses and domains');
    const meanings = page.getByRole('list', { name: 'What the lines mean' }).getByRole('listitem');
    await lines.fill('ada@example.com\nBob Smith <bob@gmail.com>\n\nbob example.org\nexample.org');

    expect(await meanings.allInnerTexts()).toEqual([
      'ada@example.com this address',
      `Bob Smith <bob@gmail.com> ${WRITTEN}`,
      `bob example.org ${WRITTEN}`,
      'example.org everybody with an address of this domain, not of its subdomains',
    ]);
    // Nobody is called wrong while they type.
    expect(await meanings.locator('.fault').count()).toBe(0);
    const height = "document.querySelector('.allowed').getBoundingClientRect().height";
    const before = await page.evaluate(height);
    await lines.blur();
    expect(await meanings.locator('.fault').allInnerTexts()).toEqual([WRITTEN, WRITTEN]);
    expect(before).toBeGreaterThan(0);
    expect(await page.evaluate(height)).toBe(before);
    await console.press('Save');
    await page.getByText('Refused: line 2, line 3.').waitFor();
    const refused = await meanings.allInnerTexts();
    expect(refused[0]).toBe('ada@example.com this address');
    expect(refused[1]).toMatch(/^Bob Smith <bob@gmail\.com> .*without name, spaces and brackets/);
    expect(refused[2]).toMatch(/^bob example\.org .*is no domain/);
    expect(await lines.getAttribute('aria-invalid')).toBe('true');
    expect(await consoleFaults(page)).toEqual({});
    expect(await stateOf(slug)).toMatchObject({ access: { mode: 'owner' } });

    await lines.fill('ada@example.com\nexample.org\ngmail.com');
    expect(await asked('Save', 'Cancel')).toContain('Anybody can have an address of gmail.com');
    expect(await stateOf(slug)).toMatchObject({ access: { mode: 'owner' } });
    await asked('Save', 'Let them in');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    expect(await stateOf(slug)).toMatchObject({
      access: {
        mode: 'allow_list',
        emails: ['ada@example.com'],
        domains: ['example.org', 'gmail.com'],
      },
    });

    await lines.fill('ada@example.com\nexample.org\ngmail.com\nexample.net');
    await console.press('Save');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    expect(await stateOf(slug)).toMatchObject({
      access: { domains: ['example.org', 'gmail.com', 'example.net'] },
    });
  });

  test('a credential for a server that everybody may call is set after an answer', async () => {
    const slug = await published(READS, OPEN);
    await console.open(`/servers/${slug}/credentials`);
    await page.getByLabel('Token', { exact: true }).fill(CREDENTIAL.token);

    expect(await asked('Set it', 'Cancel')).toContain('could call 1 tool, with its credential');
    expect(await stateOf(slug)).toMatchObject({ has_credential: false });
    await asked('Set it', 'Set it for them');
    await page.getByText('It is set.').waitFor();
    expect(await stateOf(slug)).toMatchObject({ has_credential: true });
  });

  test('a version with a tool more that changes something is published after an answer', async () => {
    const slug = await published(READS, OPEN);
    await console.open(`/servers/${slug}/versions`);
    await page.getByLabel('File of the new version').setInputFiles(file(WRITES));

    expect(await asked('Publish as version 2', 'Cancel')).toContain(
      'could call 2 tools, 1 of which changes something',
    );
    expect(await stateOf(slug)).toMatchObject({ version: 1 });
    await asked('Publish as version 2', 'Publish it for them');
    await page.getByText('Version 2 is served.').waitFor();
    expect(await stateOf(slug)).toMatchObject({ version: 2 });
  });

  test('a hidden tool that changes something is offered to everybody after an answer', async () => {
    const slug = await published(WRITES, { ...OPEN, overrides: { removeBooks: { hidden: true } } });
    await console.open(`/servers/${slug}/tools`);
    await page.getByText('1 hidden operation').click();

    expect(await asked('Offer it again', 'Cancel')).toContain('1 of which changes something');
    expect(await stateOf(slug)).toMatchObject({ tool_count: 1 });
    await asked('Offer it again', 'Offer it to them');
    await page.getByText('1 hidden operation').waitFor({ state: 'detached' });
    expect(await stateOf(slug)).toMatchObject({ tool_count: 2 });
  });

  test('a new server for everybody is published after an answer', async () => {
    await console.open('/new');
    await page.locator('input[type=file]').setInputFiles(file(WRITES));
    await page.getByRole('heading', { name: /What it becomes: / }).waitFor();
    await page.getByLabel('URL name').fill('for-everybody');
    await page.getByRole('radio', { name: /^Public/ }).check();

    expect(await asked('Publish', 'Cancel')).toContain(
      'Anybody on the internet could call 2 tools, 1 of which changes something.',
    );
    expect((await owner.send('GET', '/deployments/for-everybody')).status).toBe(404);
    await asked('Publish', 'Publish it for everybody');
    await page.getByText('Next steps:').waitFor();
    expect(await stateOf('for-everybody')).toMatchObject({ mcp_auth_method: 'none' });
  });

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
