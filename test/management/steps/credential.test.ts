import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { deploymentItem } from '../../../layers/deployments/store/deployments.ts';
import type { Credential, StoredCredential } from '../../../layers/target/rules/credential.ts';
import { ownedDeployment } from '../../../layers/deployments/steps/owned-deployment.ts';
import {
  removeCredential,
  setCredential,
} from '../../../layers/servers/steps/credential/credential.ts';
import { wireCredentials } from '../../../lambdas/credentials/wiring.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import {
  aClock,
  aDeployment,
  editorOf,
  NOON,
  startStore,
  type Store,
} from '../../support/aws/dynamodb-fixtures.ts';
import { dyingBefore, overtakenBefore } from '../../support/aws/flaky-dynamo.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import type { CredentialStore } from '../../../layers/credentials/rules/credential-stores.ts';
import { revisionTag } from '../../../layers/deployments/rules/revision.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => store.aws.faults.clear());

const bearer = (token: string): Credential => ({ type: 'bearer', token });
const ORIGINS = ['https://api.example.com'];
/** As it is stored: for where the deployment's calls went when it was set. */
const stored = (token: string): StoredCredential => ({ type: 'bearer', token, origins: ORIGINS });
let count = 0;

/** What an owner acts through on a deployment of its own, in one of the stores. */
const anOwner = async (credentialStore: CredentialStore) => {
  store.enforce(credentialStore);
  count += 1;
  const more = { CREDENTIAL_STORE: credentialStore };
  const slug = `weather-${count}`;
  const owned = { ownerId: 'user-1', slug };
  const clock = aClock();
  const ports = { ...wireManagement({ ...environmentOf(store, 'management'), ...more }), clock };
  const { credentialReader } = wireCredentials({ ...environmentOf(store, 'credentials'), ...more });
  const deployment = aDeployment({ id: `dep-${count}`, slug });
  await ports.deploymentEditor.create(deployment);
  const read = () => ports.deploymentEditor.read(slug);
  return {
    ports,
    owned,
    clock,
    deployment,
    read,
    set: (credential: Credential, over: object = {}, on = ports) =>
      setCredential(on, { ...owned, credential, ...over }),
    remove: (over: object = {}, on = ports) => removeCredential(on, { ...owned, ...over }),
    /** What a router would get now. */
    inUse: async () => {
      const current = await read();
      const version = current?.credential?.version;
      const { id: deploymentId, ownerId } = deployment;
      return (
        version &&
        credentialReader.read({
          deploymentId,
          ownerId,
          sealedFor: ownerId,
          name: 'main',
          from: 'store',
          version,
        })
      );
    },
  };
};
type Owner = Awaited<ReturnType<typeof anOwner>>;

/** The owner's function, on a client of its own. */
const onClient = ({ ports }: Owner, dynamo: ReturnType<Store['instance']>) => ({
  ...ports,
  deploymentEditor: editorOf(store, dynamo),
});

describe.each(['secrets-manager', 'envelope'] as const)(
  'a target API credential in the store %s',
  (credentialStore) => {
    test('is stored, and shown without its value', async () => {
      const owner = await anOwner(credentialStore);
      const { credential, deployment } = await owner.set({
        type: 'api_key',
        name: 'X-Key',
        in: 'header',
        value: 'CANARY',
      });

      expect(credential).toEqual({
        type: 'api_key',
        name: 'X-Key',
        in: 'header',
        origins: ORIGINS,
        version: expect.any(String),
        setAt: NOON,
      });
      expect(deployment.revision).toBe(2);
      expect(await owner.read()).toEqual({ ...deployment, credential });
      expect(JSON.stringify(await owner.read())).not.toContain('CANARY');
      expect(await owner.inUse()).toMatchObject({ value: 'CANARY' });
    });

    test('is replaced as a whole', async () => {
      const owner = await anOwner(credentialStore);
      await owner.set({ type: 'api_key', name: 'X-Key', in: 'header', value: 'one' });
      await owner.set(bearer('two'));

      expect(await owner.read()).toMatchObject({ credential: { type: 'bearer' }, revision: 3 });
      expect((await owner.read())?.credential).not.toHaveProperty('name');
      expect(await owner.inUse()).toEqual(stored('two'));
    });

    test('can be removed repeatedly', async () => {
      const owner = await anOwner(credentialStore);
      await owner.set(bearer('one'));
      await owner.remove();
      await owner.remove();

      expect(await owner.read()).not.toHaveProperty('credential');
    });

    test('is stored despite a concurrent change of the deployment', async () => {
      const owner = await anOwner(credentialStore);
      const renaming = async () => {
        const current = (await owner.read())!;
        await owner.ports.deploymentEditor.replace(current, {
          ...current,
          name: 'Renamed',
          revision: current.revision + 1,
        });
      };
      const dynamo = overtakenBefore(store.instance(), 'setAt', renaming);
      await owner.set(bearer('one'), {}, onClient(owner, dynamo));

      expect(await owner.read()).toMatchObject({ name: 'Renamed', revision: 3 });
      expect(await owner.inUse()).toEqual(stored('one'));
    });

    test('is one of several that were set concurrently, and usable', async () => {
      const owner = await anOwner(credentialStore);
      const tokens = Array.from({ length: 5 }, (_, number) => `token-${number}`);
      const ends = await Promise.allSettled(tokens.map((token) => owner.set(bearer(token))));

      expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
      expect(tokens.map(stored)).toContainEqual(await owner.inUse());
    });

    test('is either usable or gone after concurrent changes and removals', async () => {
      const owner = await anOwner(credentialStore);
      for (let round = 0; round < 5; round += 1) {
        await Promise.allSettled([
          owner.set(bearer('one')),
          owner.remove(),
          owner.set(bearer('two')),
        ]);
        const credential = (await owner.read())?.credential;
        if (credential) expect([stored('one'), stored('two')]).toContainEqual(await owner.inUse());
      }
    });

    test('is complete even if it is removed between its two writes', async () => {
      const owner = await anOwner(credentialStore);
      const dynamo = overtakenBefore(store.instance(), 'setAt', () => owner.remove());
      await owner.set(bearer('one'), {}, onClient(owner, dynamo));

      expect(await owner.inUse()).toEqual(stored('one'));
    });

    test('is not stored if the deployment is deleted meanwhile', async () => {
      const owner = await anOwner(credentialStore);
      const taken = async () => {
        const current = (await owner.read())!;
        const other = { ...current, id: 'dep-of-somebody-else', revision: current.revision + 1 };
        // The slug is somebody else's by now.
        const TableName = store.tableName('deployments');
        await store.instance().send(new PutCommand({ TableName, Item: deploymentItem(other) }));
      };
      const dynamo = overtakenBefore(store.instance(), 'setAt', taken);

      await expect(owner.set(bearer('one'), {}, onClient(owner, dynamo))).rejects.toMatchObject({
        code: 'not_found',
      });
      expect(namesOfSecrets()).not.toContain(`test/${owner.deployment.id}`);
    });

    test('is refused if it is invalid, before anything is stored', async () => {
      const owner = await anOwner(credentialStore);
      store.aws.calls.reset();

      await expect(owner.set(bearer('has spaces'))).rejects.toMatchObject({
        code: 'invalid_request',
      });
      expect(store.aws.calls.count()).toBe(0);
    });

    test('is hidden from other users', async () => {
      const owner = await anOwner(credentialStore);
      await owner.set(bearer('one'));
      const stranger = { ownerId: 'user-2' };

      await expect(owner.set(bearer('two'), stranger)).rejects.toMatchObject({ code: 'not_found' });
      await expect(owner.remove(stranger)).rejects.toMatchObject({ code: 'not_found' });
      await expect(
        ownedDeployment(owner.ports, { ...owner.owned, ...stranger }),
      ).rejects.toMatchObject({ code: 'not_found' });
      expect(await owner.inUse()).toEqual(stored('one'));
    });

    test('changes only if the deployment has the expected revision', async () => {
      const owner = await anOwner(credentialStore);
      const tag = async () => revisionTag(await ownedDeployment(owner.ports, owner.owned));
      const first = await tag();
      await owner.set(bearer('one'), { revisions: [first] });
      for (const revisions of [[first], []]) {
        const stale = { code: 'stale' };
        await expect(owner.set(bearer('two'), { revisions })).rejects.toMatchObject(stale);
        await expect(owner.remove({ revisions })).rejects.toMatchObject(stale);
      }
      expect(await owner.inUse()).toEqual(stored('one'));

      await owner.remove({ revisions: [await tag()] });
      expect(await owner.inUse()).toBeUndefined();
    });

    test.each([1, 2])(
      'keeps its old value when the function is killed before call %i, and a retry succeeds',
      async (nth) => {
        const owner = await anOwner(credentialStore);
        await owner.set(bearer('old'));
        const dying = onClient(owner, dyingBefore(store.instance(), nth));
        for (let attempt = 0; attempt < 3; attempt += 1) {
          await expect(owner.set(bearer('new'), {}, dying)).rejects.toThrow();
          expect(await owner.inUse()).toEqual(stored('old'));
        }

        await owner.set(bearer('new'));
        expect(await owner.inUse()).toEqual(stored('new'));
      },
    );

    test('that was partly removed is removed by a retry', async () => {
      const owner = await anOwner(credentialStore);
      await owner.set(bearer('one'));
      const isTogether = credentialStore === 'envelope';
      const operation = isTogether ? 'TransactWriteItems' : 'DeleteSecret';
      store.aws.faults.inject({ kind: 'fail', on: { operation } });
      await expect(owner.remove()).rejects.toMatchObject({ name: 'Fault' });
      store.aws.faults.clear();
      // In one transaction it is there or gone; in two steps the deployment lets go of it first.
      expect(await owner.inUse()).toEqual(isTogether ? stored('one') : undefined);

      await owner.remove();
      expect(await owner.read()).not.toHaveProperty('credential');
      expect(namesOfSecrets()).not.toContain(`test/${owner.deployment.id}`);
    });

    test.each(['throttle', 'fail', 'drop', 'deny'] as const)(
      'keeps its old value while the store fails: %s',
      async (kind) => {
        const owner = await anOwner(credentialStore);
        await owner.set(bearer('old'));
        const operation = credentialStore === 'envelope' ? 'GenerateDataKey' : 'PutSecretValue';
        store.aws.faults.inject({ kind, on: { operation } });
        await expect(owner.set(bearer('new'))).rejects.toMatchObject({ name: 'Fault' });
        store.aws.faults.clear();

        expect(await owner.inUse()).toEqual(stored('old'));
        await owner.set(bearer('new'));
        expect(await owner.inUse()).toEqual(stored('new'));
      },
    );
  },
);

const namesOfSecrets = () => store.aws.secrets().map(({ name }) => name);
