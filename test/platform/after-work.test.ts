import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { afterWork } from './after-work.ts';

/** What may fail there, and why that is right. */
const KNOWN: Readonly<Record<string, string>> = {
  'layers/connections/store/oauth-client.ts: await request(asked, other).then( (given) => ({ ...given, works: other }), (again: unknown) => { throw moreTelling(error, again); }, )':
    'nothing is decided yet: the secret is tried in its other place',
  'layers/tokens/store/jose-signatures.ts: await verifyWithAny(jose, token, error, options)':
    'nothing is decided yet: another key is tried',
  'layers/deployments/steps/current-deployment.ts: await deployments.findAgain(remembered.slug)':
    'no refusal from a cache: the deployment is read again before one',
  'layers/deployments/steps/current-deployment.ts: await act(deployment)': 'the same',
  'layers/mcp/steps/calls/call-tool.ts: await inNewerVersion(ports, call)':
    'no refusal from a cache: nothing has been sent, and a newer version may take the call',
  'layers/mcp/steps/calls/call-tool.ts: await toolCallOf(isSearched(newer.deployment))': 'the same',
  'layers/declarations/steps/apply-declaration.ts: await isOvertaken(ports, owner, wanted, error)':
    'nothing is done yet: whether the same declaration has made the server meanwhile',
  'layers/platform/dynamodb/items.ts: await pauseAfter(tries)': 'a pause',
  'layers/activity/store/call-store.ts: await pause(ms)': 'a pause',
  'layers/activity/store/call-store.ts: await put(touchedKey(seenAt, partOf(deploymentId), mark), { deleteAfter })':
    'what stands is counted; the calls that were refused are stored again in any case',
  'layers/oauth/steps/tokens/exchange-assertion.ts: await countRequest(ports, SHOWN, id)':
    'nobody guesses uncounted',
  'layers/mcp/routes/admission.ts: await countAnonymousRequest(ports, event)':
    'nobody is refused uncounted',
  'layers/oauth/steps/authorization/begin-authorization.ts: await mayRedirect()':
    'decides where the refusal goes',
  'layers/mcp/steps/authentication/authenticate.ts: await refusedToken(ports, presented, error)':
    'counts what strangers guess, and makes the refusal',
  'layers/mcp/steps/calls/refused-calls.ts: await recordRefusedCalls(ports, asking, messages, error.code)':
    'catches what it reads itself',
  'layers/mcp/routes/admission.ts: await recordPage(ports, event, origin)': 'the same',
  'layers/connections/steps/give-token.ts: await endLease(ports, request, lease, error)':
    'catches what fails: the lease ends by itself',
};

const sources = async (): Promise<readonly string[]> => {
  const found = await Array.fromAsync(glob('{layers,lambdas}/**/*.ts'));
  return found.filter((file) => !file.includes('node_modules'));
};

const foundIn = async (source: string): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-after-'));
  try {
    const file = join(folder, 'a.ts');
    await writeFile(file, source);
    return (await afterWork([file])).map(({ text }) => text);
  } finally {
    await rm(folder, { recursive: true });
  }
};

describe('what comes after an outcome is certain', () => {
  test('goes through `afterwards`, so that its failure decides no answer', async () => {
    const found = await afterWork(await sources());

    // One more: have `afterwards` do it, or say here why it may decide.
    expect(new Set(found.map(({ file, text }) => `${file}: ${text}`))).toEqual(
      new Set(Object.keys(KNOWN)),
    );
  });

  test.each([
    'try { act(); } finally { await lease.giveBack(); }',
    'try { act(); } catch (error) { await store.remove(id); throw error; }',
    'await act().finally(async () => { await lease.giveBack(); });',
    'await act().catch(async (error) => { await store.remove(id); throw error; });',
  ])('is found: %s', async (source) => {
    expect(await foundIn(source)).toHaveLength(1);
  });

  test('is found where events are stored', async () => {
    expect(await foundIn('act(); await ports.events.flush();')).toEqual([
      'await ports.events.flush()',
    ]);
  });

  test.each([
    "try { act(); } finally { await afterwards(ports, 'a lease', lease.giveBack); }",
    'try { act(); } finally { await store.remove(id).catch(() => undefined); }',
    'try { act(); } catch { await again(); }',
    'await events.flush().then(stored, lost);',
  ])('may be waited for where it cannot fail, or nothing was decided: %s', async (source) => {
    expect(await foundIn(source)).toEqual([]);
  });
});
