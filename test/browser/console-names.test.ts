import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { type OpenConsole, openConsole } from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

/** What every object has from its prototype. */
const NAMES = ['constructor', 'toString', 'valueOf'];
const of = (value: unknown): object => Object.fromEntries(NAMES.map((name) => [name, value]));

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Names', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  tags: NAMES.map((name) => ({ name })),
  paths: Object.fromEntries(
    NAMES.map((name, index) => [
      `/things-${index}`,
      {
        post: {
          operationId: name,
          tags: [name],
          parameters: NAMES.map((one) => ({ name: one, in: 'query', schema: { type: 'string' } })),
          requestBody: {
            content: { 'application/json': { schema: { properties: of({ type: 'string' }) } } },
          },
          responses: { 200: { description: 'Done.' } },
        },
      },
    ]),
  ),
};

inChromium('a server whose parts are called as what every object has', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    owner = await signedIn(service);
    const made = await owner.send('POST', '/deployments', {
      slug: 'names',
      openapi: DESCRIPTION,
    });
    expect([made.status, made.body['detail']]).toEqual([201, undefined]);
    for (const name of ['constructor', 'toString']) {
      const at = '/deployments/names';
      const text = { name, uri: `docs://${name.toLowerCase()}`, content: 'Words.' };
      const resource = await owner.send('POST', `${at}/resources`, text);
      const prompt = await owner.send('POST', `${at}/prompts`, {
        name,
        template: `Say {{${name}}}.`,
        arguments: [{ name, values: [name] }],
      });
      expect([resource.status, prompt.status]).toEqual([201, 201]);
    }
    console = await openConsole(service, chromium);
    await console.signIn(owner.person);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  test.each([
    ['/tools', 'constructor'],
    ['/content', 'constructor'],
    ['/content/resources/constructor', 'Resource'],
    ['/content/prompts/toString', 'Prompt'],
    ['/versions', 'Versions'],
    ['/talk', 'Talk with a model'],
    ['/cases', 'Cases'],
    ['/credentials', 'Credentials'],
    ['/activity', 'Activity'],
    ['/settings', 'Settings'],
  ])('is shown at %s without a fault', async (path, words) => {
    await console.open(`/servers/names${path}`);
    await console.page.locator('main').getByText(words).first().waitFor();

    expect(console.complaints).toEqual([]);
  });
});
