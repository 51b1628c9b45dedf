import { setTimeout } from 'node:timers/promises';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { type Listening, listening } from '../support/target/listening.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const SECRET = 'ahGee8ohdooy5';
/** Transparent, of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Silence of a tenth of a second: 800 samples of 8 bits. */
const sound = (): Buffer => {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + 800, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(800, 40);
  return Buffer.concat([header, Buffer.alloc(800, 128)]);
};

const operation = (operationId: string, more: object = {}) => ({
  operationId,
  responses: { 200: { description: 'Done.' } },
  ...more,
});
const parameter = (name: string, schema: object, required = false) => ({
  name,
  in: 'query',
  required,
  schema,
});

const openapi = (url: string) => ({
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  servers: [{ url }],
  paths: {
    '/parcels': {
      get: operation('listParcels', {
        parameters: [
          parameter('since', { type: 'string', format: 'date-time' }),
          parameter('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
          parameter(
            'code',
            { type: 'string', minLength: 3, maxLength: 8, pattern: '^[A-Z]+$' },
            true,
          ),
        ],
      }),
      post: operation('addParcel', {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: {
                    type: 'object',
                    required: ['width'],
                    properties: { width: { type: 'integer' }, depth: { type: 'integer' } },
                  },
                },
              },
            },
          },
        },
      }),
    },
    '/parcels/{id}': {
      delete: operation('deleteParcel', {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      }),
    },
    '/parcels/{id}/note': {
      post: operation('attach', {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: {
                  note: { type: ['string', 'null'] },
                  photo: { type: 'string', format: 'binary' },
                },
              },
            },
          },
        },
      }),
    },
    '/picture': { get: operation('picture') },
    '/sound': { get: operation('sound') },
    '/noise': { get: operation('noise') },
    '/page': { get: operation('page') },
    '/slow': { get: operation('slow') },
    '/forbidden': { get: operation('forbidden') },
  },
});

inChromium('trying a tool in the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;
  let api: Listening;
  const deleted: string[] = [];
  const received: string[] = [];

  beforeAll(async () => {
    const server = createServer((request, response) => {
      const url = request.url ?? '';
      if (request.method === 'DELETE') deleted.push(url);
      request.setEncoding('latin1').on('data', (text: string) => received.push(text));
      if (url.startsWith('/slow')) return;
      if (url.startsWith('/picture')) {
        response.writeHead(200, { 'content-type': 'image/png' });
        response.end(Buffer.from(PICTURE, 'base64'));
      } else if (url.startsWith('/sound')) {
        response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound());
      } else if (url.startsWith('/noise')) {
        response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(Buffer.from([255, 0, 7]));
      } else if (url.startsWith('/page')) {
        response.writeHead(200, { 'content-type': 'application/pdf' });
        response.end(Buffer.from('%PDF\xff\x00<script>document.title="broken"</script>', 'latin1'));
      } else if (url.startsWith('/forbidden')) {
        response.writeHead(403, { 'content-type': 'application/json' }).end('{}');
      } else {
        response.writeHead(200, {
          'content-type': 'application/json',
          'set-cookie': `sid=${SECRET}`,
          'x-echo': request.headers['authorization'] ?? '',
          'x-left': '7',
        });
        response.end(JSON.stringify({ url }));
      }
    });
    api = await listening(server);
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    owner = await signedIn(service);
    const sent = { slug: 'parcels', openapi: openapi(api.url) };
    const made = await owner.send('POST', '/deployments', sent);
    expect(made.status).toBe(201);
    await owner.send('PUT', '/deployments/parcels/credential', { type: 'bearer', token: SECRET });
    console = await openConsole(service, chromium);
    page = console.page;
    page.setDefaultTimeout(20_000);
    await console.signIn(owner.person);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
    await api.stop();
  });

  const tryOut = (tool: string) => console.open(`/servers/parcels/tools?tool=${tool}&view=try`);
  const focused = async (field: Locator) =>
    page.locator(`[id="${await field.getAttribute('id')}"]:focus`).waitFor();
  const call = () => page.getByRole('button', { name: 'Call', exact: true }).click();

  test('each field says which values it takes', async () => {
    await tryOut('listParcels');
    await page.getByText('Date and time with time zone, such as 2026-11-24T10:00:00Z.').waitFor();
    await page.getByText('1 to 100. 20 if left empty.').waitFor();
    await page.getByText('3 to 8 characters.').waitFor();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('what the service finds wrong stands at its field, which is gone to, and nothing typed is lost', async () => {
    await call();
    const code = page.getByLabel(/^code/);
    await focused(code);
    await code.fill('ABC');
    await page.getByLabel(/^since/).fill('yesterday');
    await call();
    await page.getByText('Not sent: arguments are missing or wrong').waitFor();
    const since = page.getByLabel(/^since/);
    expect(await since.getAttribute('aria-invalid')).toBe('true');
    await focused(since);
    expect(await code.inputValue()).toBe('ABC');
    expect(await page.getByText('No response').count()).toBe(0);
    expect(await consoleFaults(page)).toEqual({});
  });

  test('what is wrong with arguments written as JSON, or that there are not, is said below them', async () => {
    await tryOut('listParcels');
    await console.press('Write JSON instead');
    await page.getByLabel('Arguments').fill('{"limit": 1000, "nonsense": 1}');
    await call();
    await page.getByText('Not sent: arguments are missing or wrong').waitFor();
    const said = await page.locator('.panel .findings').last().innerText();
    expect(said).toMatch(/code.*required/);
    expect(said).toMatch(/limit/);
    expect(said).toMatch(/nonsense/);
    expect(await consoleFaults(page)).toEqual({});
    await console.press('Back to the form');
  });

  test('what is wrong within an argument stands at that argument', async () => {
    await tryOut('addParcel');
    await page.getByText('Members: width (required), depth.').waitFor();
    await page.getByLabel(/^size/).fill('{"depth": 1}');
    await call();
    await page.getByText('width: is required.').waitFor();
    expect(await page.getByLabel(/^size/).getAttribute('aria-invalid')).toBe('true');
  });

  test('status, headers and size are shown with the answer, and no secret of them', async () => {
    await tryOut('listParcels');
    await page.getByLabel(/^since/).fill('');
    await page.getByLabel(/^code/).fill('ABC');
    await call();
    await page.getByText('200 OK', { exact: true }).waitFor();
    await page.getByText(/\d+ B, about \d+ tokens for a model/).waitFor();
    await page.getByText('Headers of the answer').click();
    const headers = await page.getByLabel('Headers, secrets masked', { exact: true }).innerText();
    expect(headers).toContain('x-left: 7');
    expect(await page.content()).not.toContain(SECRET);
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a file is chosen, and text that may be left empty is typed as it is', async () => {
    await tryOut('attach');
    await page.getByLabel(/^id/).fill('7');
    await page.getByLabel(/^note/).fill('hello');
    await page.getByLabel('File for photo').setInputFiles({
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: Buffer.from(PICTURE, 'base64'),
    });
    await page.getByText('photo.png (70 B)').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await call();
    await page.getByText('200 OK', { exact: true }).waitFor();
    expect(received.at(-1)).toMatch(
      /name="note"[^]*hello[^]*filename="photo.png"[^]*image\/png[^]*PNG/,
    );
    await console.press('Remove it from photo');
    await page.getByLabel(/^photo/).fill(PICTURE);
    await page.getByLabel('Send nothing (null) as note').check();
    await call();
    await page.getByText('200 OK', { exact: true }).waitFor();
    expect(received.at(-1)).toContain('PNG');
    expect(received.at(-1)).not.toContain('hello');
    expect(await consoleFaults(page)).toEqual({});
  });

  test('what may destroy is asked about before each call', async () => {
    await tryOut('deleteParcel');
    await page.getByLabel(/^id/).fill('7');
    await call();
    const dialog = page.getByRole('dialog', { name: 'Call deleteParcel?' });
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('DELETE /parcels/{id}');
    expect(await consoleFaults(page)).toEqual({});
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(deleted).toEqual([]);
    await call();
    await dialog.getByRole('button', { name: 'Call' }).click();
    await page.getByText('200 OK', { exact: true }).waitFor();
    expect(deleted).toEqual(['/parcels/7']);
    await page.getByLabel(/^id/).fill('8');
    await call();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    expect(deleted).toEqual(['/parcels/7']);
  });

  test('a call that takes long is waited for no longer than one likes', async () => {
    await tryOut('slow');
    await call();
    await page.getByRole('button', { name: /^Calling… 1 s/ }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('You have stopped waiting.').waitFor();
    await page.getByRole('button', { name: 'Call', exact: true }).waitFor();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a picture is drawn', async () => {
    await tryOut('picture');
    await call();
    const picture = page.getByAltText('The picture that the API answered with');
    await picture.waitFor();
    expect(await page.evaluate('document.querySelector(".answer-part img").naturalWidth')).toBe(1);
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a sound is played in the page', async () => {
    await tryOut('sound');
    await call();
    await page.getByLabel('The sound that the API answered with').waitFor();
    // The page's policy forbids what Playwright waits for functions by.
    const duration = () => page.evaluate('document.querySelector("audio")?.duration');
    while ((await duration()) !== 0.1) await setTimeout(50);
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a sound that cannot be played is said to be one to save', async () => {
    await tryOut('noise');
    await call();
    await page.getByText('This browser cannot play it: save it instead.').waitFor();
    await page.getByRole('button', { name: 'Save it' }).waitFor();
  });

  test('any other file is saved as bytes, and never opened', async () => {
    await tryOut('page');
    await call();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save it' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('answer.pdf');
    expect(await page.title()).not.toBe('broken');
  });

  test('a refused credential leads to where it is set', async () => {
    await tryOut('forbidden');
    await call();
    await page.getByText('403 Forbidden', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Look at the credential' }).click();
    await page.getByRole('heading', { name: 'Replace the credential' }).waitFor();
  });

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
