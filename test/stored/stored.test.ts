import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dataFormats } from '../../lambdas/data-formats.ts';
import { fingerprint } from '../../layers/platform/rules/fingerprint.ts';
import { wireMaintenance } from '../../lambdas/maintenance/wiring.ts';
import { wireManagement } from '../../lambdas/management/wiring.ts';
import { wireOAuth } from '../../lambdas/oauth/wiring.ts';
import { wireRouter } from '../../lambdas/router/wiring.ts';
import { NOON } from '../support/aws/dynamodb-fixtures.ts';
import { readStorageDocument } from '../docs/storage-document.ts';
import { startTestAws, type TestAws } from '../support/aws/aws.ts';
import { readItems, storeItems } from '../support/aws/stored-items.ts';
import { recordedShape, shapeChanges, shapeOf, storedFile } from '../support/aws/stored-shape.ts';
import { environmentOf } from '../lambdas/wiring/environments.ts';

const everything = { from: '2026-11-19', before: '2026-11-22', limit: 100 };

/** What each function reads, of what test/docs/one-of-everything.ts has stored. */
const readings = (aws: TestAws): Readonly<Record<string, () => Promise<unknown>>> => {
  const oauth = wireOAuth(environmentOf(aws, 'oauth'));
  const router = wireRouter(environmentOf(aws, 'router'));
  const management = wireManagement(environmentOf(aws, 'management'));
  const maintenance = wireMaintenance(environmentOf(aws, 'maintenance'));
  const live = fingerprint('live');
  return {
    'a user': () => oauth.users.find('user-1'),
    'a user with a name': () => management.users.find('whole'),
    'whose an address is': () => oauth.users.findByEmail('ada@example.com'),
    'that a user was signed out': () => router.signOuts.find('user-1'),
    'a registered client': () => oauth.clients.find('mcp_client'),
    'a client with a secret': () => oauth.clients.find('whole'),
    'an authorization request': () => oauth.authorizationRequests.find(fingerprint('least')),
    'one that was answered': async () => {
      const found = await oauth.authorizationRequests.find(fingerprint('whole'));
      return found?.isAnswered ? undefined : found;
    },
    'a code': () => oauth.codes.find(fingerprint('unused')),
    'a used code': () => oauth.codes.find(fingerprint('used')),
    'a grant': () => oauth.grants.find('grant-1'),
    'an ended grant': () => oauth.grants.find('whole'),
    'an access token': () => router.accessTokens.find(live),
    'a refresh token': () => oauth.refreshTokens.find(fingerprint('refresh')),
    'a session': () => management.sessions.find(fingerprint('session')),
    'a minted token': () => router.mintedTokens.find('jti-1'),
    'one with a name': () => management.mintedTokens.find('whole'),
    'which key signs': () => oauth.signingKeyRegister.roles(),
    'a deployment': () => router.deployments.find('whole'),
    'one whose version stands in files': () => management.deploymentEditor.read('large'),
    'a paused deployment': () => management.deploymentEditor.read('with-token'),
    'the tools of a version': () => router.toolIndexes.find('whole', 1),
    'what operations are found by': () => router.searchIndexes.find('whole', 1),
    'the report of a version': () => router.toolReports.find('whole', 1),
    'the notes of a version': () => management.versions.notes('whole', 1),
    'a description': () => management.versions.description('whole', 1),
    'a resource': () => router.resources.find('whole', 'whole'),
    'a resource that says little': () => router.resources.find('whole', 'least'),
    'a prompt': () => router.prompts.find('whole', 'whole'),
    'a prompt that says little': () => router.prompts.find('whole', 'least'),
    'who is blocked': async () =>
      (await maintenance.publicRequestBlocks.page({ after: undefined, limit: 100 }, NOON)).items[0],
    'what was removed': async () =>
      (await maintenance.unfinishedRemovals.page({ after: undefined, limit: 100 })).items.find(
        ({ kind }) => kind === 'removed',
      ),
    'what happened to a deployment': async () =>
      (
        await management.activity.events({
          ...everything,
          of: { deploymentId: 'whole' },
          type: undefined,
        })
      ).events[0],
  };
};

/** Nobody finds them any more. */
const ENDED = ['one that was answered', 'an ended grant'];

describe.each(dataFormats.map(({ number }) => number))('items of format %i', (number) => {
  let aws: TestAws;
  let read: ReturnType<typeof readings>;
  beforeAll(async () => {
    aws = await startTestAws();
    await storeItems(aws, readItems(readFileSync(storedFile(number), 'utf8')));
    read = readings(aws);
  });
  afterAll(() => aws.stop());

  test("are read by today's stores, and what has ended stays so", async () => {
    const found = await Promise.all(
      Object.entries(read).map(async ([what, find]) => [
        what,
        await find().then(
          (one) => (one === undefined ? 'not found' : 'read'),
          (error: Error) => `${error.name}: ${error.message}`,
        ),
      ]),
    );

    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(
        Object.keys(read).map((what) => [what, ENDED.includes(what) ? 'not found' : 'read']),
      ),
    );
  });
});

describe('what is stored', () => {
  test('is as it is recorded; `node test/support/aws/record-stored.ts` records a change that older versions can read', async () => {
    const now = shapeOf(dataFormats, (await readStorageDocument()).kinds);

    expect(shapeChanges(recordedShape(), now)).toEqual({ additions: [], breaks: [] });
  });

  test.each([
    ['an attribute that is gone', { a: 'S' }, {}, ['t K: a was "S" and is gone']],
    ['another type', { a: 'S' }, { a: 'N' }, ['t K: a was "S" and is "N"']],
    [
      'what was always there and is optional',
      { a: 'S' },
      { a: 'S, optional' },
      ['t K: a was "S" and is "S, optional"'],
    ],
  ])('needs a format of its own for %s', (_, before, now, breaks) => {
    const shape = (format: number, attributes: Record<string, string>) => ({
      format,
      kinds: { 't K': attributes },
    });

    expect(shapeChanges(shape(1, before), shape(1, now)).breaks).toEqual(breaks);
    expect(shapeChanges(shape(1, before), shape(2, now)).breaks).toEqual([]);
  });

  test('needs none for an addition, or for what became certain', () => {
    const before = { format: 1, kinds: { 't K': { a: 'S, optional' } } };
    const now = { format: 1, kinds: { 't K': { a: 'S', b: 'N, optional' }, 't L': {} } };

    expect(shapeChanges(before, now)).toEqual({
      additions: ['t K: b is new', 't L is new'],
      breaks: [],
    });
  });
});
