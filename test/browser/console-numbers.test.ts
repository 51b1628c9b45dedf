import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { CALL_OUTCOMES, countedAs, tallied } from '../../layers/events/rules/call-outcome.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import {
  consoleFaults,
  type OpenConsole,
  openConsole,
  widthFaults,
} from '../support/pages/console.ts';
import {
  callTool,
  startWholeService,
  type Person,
  type WholeService,
} from '../support/service/whole-service.ts';
import { inOrder } from '../support/story.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';

const inChromium = hasChromium ? describe : describe.skip;
if (!hasChromium) test.skip('in Chromium: not installed, see .ci/run', () => undefined);

const SLUG = 'counted';
const WRONG = { limit: { much: 1 } };

/** Each way in which a call can end, of a caller and as a trial of the owner; one of each more of those that work. */
const CALLS = [
  ['works', {}],
  ['works', {}],
  ['fails', {}],
  ['breaksOff', {}],
  ['works', WRONG],
] as const;
const EXPECTED = { calls: 5, errors: 3, trials: 4 };
const OUTCOMES = { ok: 2, target_error: 1, no_answer: 1, refused: 1 };

interface Counted {
  readonly calls: number;
  readonly errors: number;
  readonly trials: number;
}
/** What the answers have in common, as far as it is looked at. */
interface Answered extends Counted {
  readonly items: readonly (Counted &
    Parameters<typeof countedAs>[0] & {
      readonly without_tool?: true;
      readonly outcomes?: object;
      readonly hours: readonly Counted[];
    })[];
}
const numbersIn = ({ calls, errors, trials }: Counted) => ({ calls, errors, trials });
const sumOf = (all: readonly Counted[]) => ({
  calls: all.reduce((sum, one) => sum + one.calls, 0),
  errors: all.reduce((sum, one) => sum + one.errors, 0),
  trials: all.reduce((sum, one) => sum + one.trials, 0),
});

/** Of a column of a table, by its head. */
const columnOf = async (page: Page, table: string, column: string): Promise<readonly string[]> => {
  const region = page.getByRole('region', { name: table, exact: true });
  const heads = await region.getByRole('columnheader').allInnerTexts();
  const rows = await region.locator('tbody tr').all();
  return Promise.all(
    rows.map(
      async (row) => (await row.locator('th, td').allInnerTexts())[heads.indexOf(column)] ?? '',
    ),
  );
};
const total = (cells: readonly string[]): number =>
  cells.reduce((sum, one) => sum + Number(one), 0);

inChromium('calls of every outcome, wherever a number of them is shown', () => {
  const step = inOrder();
  let service: WholeService;
  let chromium: Browser;
  let target: TargetServer;
  let machine: TestMachine;
  let opened: OpenConsole;
  let owner: Person;
  let token: string;

  beforeAll(async () => {
    [service, chromium, target] = await Promise.all([
      startWholeService(),
      launchChromium(),
      anHttpServer(({ url = '' }, response) => {
        if (url.includes('/breaksOff')) return response.destroy();
        response.writeHead(url.includes('/fails') ? 404 : 200, {
          'content-type': 'application/json',
        });
        return response.end('{}');
      }),
    ]);
    machine = await aMachineFor(service.baseUrl);
    owner = await service.person();
    const signedIn = await fetch(`${service.baseUrl}/mcp-management/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: owner.email, password: owner.password }),
    });
    token = ((await signedIn.json()) as { access_token: string }).access_token;
    opened = await openConsole(service, chromium);
    await opened.signIn(owner);
    const server = await service.publish(owner, {
      slug: SLUG,
      authMethod: 'none',
      apiBaseUrl: new URL(target.url).origin,
      openapi: JSON.stringify(aDescription(['works', 'fails', 'breaksOff'])),
    });
    for (const [tool, args] of CALLS) await callTool(server, tool, args);
    for (const [tool, args] of CALLS.slice(1)) await tried(tool, args);
    // A page in a browser that may not use the server, before it calls a tool.
    await fetch(server.messagesUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        origin: 'https://page.example',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
  });
  afterAll(async () => {
    await Promise.all([chromium.close(), machine.remove()]);
    await service.stop();
    await target[Symbol.asyncDispose]();
  });

  const asked = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${service.baseUrl}/mcp-management${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    });
    return { etag: answer.headers.get('etag') ?? '', body: (await answer.json()) as Answered };
  };
  const tried = async (tool: string, args: object) => {
    const { etag } = await asked(`/deployments/${SLUG}`);
    await asked(`/deployments/${SLUG}/tools/${tool}/test`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': etag },
      body: JSON.stringify({ arguments: args }),
    });
  };
  const said = (command: string) =>
    machine.run(command.split(' '), { environment: { HOSTED_MCP_TOKEN: token } });

  step('are told one by one, with what they count as', async () => {
    const all = CALLS.length + CALLS.length - 1 + 1;
    let items: Answered['items'] = [];
    // Calls are stored some seconds after they were made.
    for (let turn = 0; turn < 120; turn += 1) {
      const { body } = await asked(`/deployments/${SLUG}/calls`);
      items = body.items.map((one) => ({ ...one, withoutTool: one.without_tool }));
      if (items.length === all && items.every(({ outcome }) => outcome !== 'unfinished')) break;
      await new Promise((resolve) => void setTimeout(resolve, 250));
    }

    expect(items).toHaveLength(all);
    expect(new Set(items.map(({ outcome }) => outcome))).toEqual(
      new Set(CALL_OUTCOMES.filter((one) => one !== 'unfinished')),
    );
    expect(tallied(items)).toEqual(EXPECTED);
  });

  step('add up to the same in each answer of the management API', async () => {
    await service.tally();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const { body: activity } = await asked(
      `/deployments/${SLUG}/activity?type=tool_invocations&since=${yesterday}`,
    );
    expect(sumOf(activity.items)).toEqual(EXPECTED);
    expect(sumOf(activity.items.flatMap(({ hours }) => hours))).toEqual(EXPECTED);
    const { body: account } = await asked(`/account/calls?since=${yesterday}`);
    expect(account.items.map(numbersIn)).toEqual([EXPECTED]);
    expect(account.items[0]?.outcomes).toEqual(OUTCOMES);
    const { body: callers } = await asked(`/deployments/${SLUG}/callers`);
    expect(numbersIn(callers)).toEqual(EXPECTED);
    expect(callers.items).toMatchObject([{ calls: 5, errors: 3, refused: 1 }]);
    const { body: problems } = await asked(`/deployments/${SLUG}/problems`);
    expect(numbersIn(problems)).toEqual(EXPECTED);
    const [requests, ofCalls] = [true, undefined].map((wanted) =>
      problems.items.filter((one) => one.without_tool === wanted),
    );
    expect(ofCalls?.map(({ calls }) => calls)).toEqual([1, 1, 1]);
    expect(requests).toMatchObject([{ calls: 1, reason: 'forbidden_origin' }]);
    const { body: doctor } = await asked(`/deployments/${SLUG}/doctor`);
    expect(doctor.items).toContainEqual(
      expect.objectContaining({
        step: 'Calls since yesterday',
        what: '5, of which 3 failed, 1 of them refused before they were sent. Besides, 4 trials of yours.',
      }),
    );
  });

  step('add up to the same at the command line', async () => {
    const days = (await said(`logs ${SLUG} --type tool_invocations`)).out;
    const sum = (pattern: RegExp) =>
      [...days.matchAll(pattern)].reduce((all, [, number]) => all + Number(number), 0);
    expect({
      calls: sum(/(\d+) calls?,/g),
      errors: sum(/(\d+) errors?\b/g),
      trials: sum(/(\d+) trials? of yours/g),
    }).toEqual(EXPECTED);

    const lines = (await said(`logs ${SLUG} --calls`)).out;
    expect(lines.match(/\(a trial\)/g)).toHaveLength(EXPECTED.trials);
    expect(lines.match(/\(called no tool\)/g)).toHaveLength(1);

    const problems = (await said(`problems ${SLUG}`)).out.trim().split('\n').slice(1);
    expect(problems).toHaveLength(EXPECTED.errors + 1);
    expect(problems.join('\n')).toContain('no call of a tool');
  });

  step('add up to the same in the console, whoever is looked at', async () => {
    const { page, open } = opened;
    const figures = async () => {
      const texts = await page.locator('dl.figures dd').allInnerTexts();
      return texts.slice(0, 2).map((text) => text.replaceAll(/\s+/g, ' ').trim());
    };
    await open(`/servers/${SLUG}/activity`);
    await page.getByRole('heading', { name: 'What went wrong' }).waitFor();
    await page.getByText('3 calls failed.').waitFor();

    expect(await figures()).toEqual(['5 and 4 trials of yours', '3 60 %']);
    for (const table of ['By tool', 'By person']) {
      expect(total(await columnOf(page, table, 'Calls'))).toBe(EXPECTED.calls);
      expect(total(await columnOf(page, table, 'Errors'))).toBe(EXPECTED.errors);
    }
    expect(total(await columnOf(page, 'By tool', 'Your trials'))).toBe(EXPECTED.trials);
    expect(total(await columnOf(page, 'What went wrong', 'Calls'))).toBe(EXPECTED.errors + 1);
    const legends = page.locator('.u-legend');
    await legends.first().waitFor();
    // In the style of the library, which comes with it.
    const placed = "getComputedStyle(document.querySelector('.u-over')).position";
    expect(await page.evaluate(placed)).toBe('absolute');
    expect((await legends.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'WhenLast 24 hoursCalls5Your trials4',
      'WhenLast 24 hoursErrors3',
      expect.stringMatching(/^WhenLast 24 hoursMean\d.*Longest\d/),
    ]);
    await page.getByText('5 calls, 4 trials of yours, 1 request that called no tool').waitFor();
    const list = page.getByRole('list', { name: 'Calls' });
    expect(await list.getByText('trial', { exact: true }).count()).toBe(EXPECTED.trials);
    expect(await list.getByText('no tool', { exact: true }).count()).toBe(1);
    expect(await consoleFaults(page)).toEqual({});
    expect(await widthFaults(page)).toEqual({});
    if (process.env['PICTURES']) await pictures(page, process.env['PICTURES']);

    await page.getByRole('button', { name: '127.0.0.1' }).first().click();
    await page.getByText('Person: 127.0.0.1').waitFor();
    await page.locator('dl.figures').waitFor();
    expect(await figures()).toEqual(['5', '3 60 %']);

    await open('/servers');
    await page.getByText(/5 calls today/).waitFor();
    await page.getByText('3 errors').waitFor();
  });
});

/** To be looked at, in the folder that `PICTURES` names. */
const pictures = async (page: Page, folder: string): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 375]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(500);
      await page.screenshot({
        path: `${folder}/activity-${colorScheme}-${width}.png`,
        fullPage: true,
      });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
};
