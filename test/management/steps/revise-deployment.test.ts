import { PERSONS } from '../../../layers/accounts/rules/permission.ts';
import { asItIs } from '../../../layers/servers/rules/fetch-terms.ts';
import { afterAll, describe, expect, test } from '@jest/globals';
import { publish } from '../../../layers/servers/steps/deployments/publish.ts';
import { reviseDeployment } from '../../../layers/servers/steps/deployments/revise-deployment.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { startStore } from '../../support/aws/dynamodb-fixtures.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';

const store = await startStore();
afterAll(() => store.stop());

const OPENAPI = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Books', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/books': { get: { operationId: 'listBooks', responses: { 200: { description: 'All.' } } } },
  },
});

const ports = wireManagement(environmentOf(store, 'management'));
let count = 0;

/**
 * Asks for a change while somebody else changes the same deployment just before each of the first writes.
 *
 * @param rival - what they change, the number of the write given
 */
const revising = async (writes: number, rival: (write: number) => object) => {
  count += 1;
  const owned = { ownerId: 'user-1', slug: `books-${count}` };
  await publish(ports, {
    ...owned,
    source: { sent: OPENAPI },
    choices: { authMethod: 'none' },
    publication: {},
  });
  let [written, compiled] = [0, 0];
  const { deploymentEditor, versions } = ports;
  const overtaken = {
    ...ports,
    versions: {
      ...versions,
      // What is stored is read once for each compilation.
      description: (...of: Parameters<typeof versions.description>) => {
        compiled += 1;
        return versions.description(...of);
      },
    },
    deploymentEditor: {
      ...deploymentEditor,
      replace: async (...change: Parameters<typeof deploymentEditor.replace>) => {
        written += 1;
        if (written <= writes) {
          await reviseDeployment(ports, asItIs(PERSONS), owned, rival(written));
        }
        return deploymentEditor.replace(...change);
      },
    },
  };
  const revised = reviseDeployment(overtaken, asItIs(PERSONS), owned, {
    publication: { toolMode: 'search' },
  });
  const code = await revised.then(
    () => 'done',
    ({ code: refused }) => refused,
  );
  return { code, compiled, deployment: await deploymentEditor.read(owned.slug) };
};

const named = (write: number) => ({ choices: { name: `Books ${write}` } });
const described = (write: number) => ({
  publication: { overrides: { listBooks: { description: `All of them, ${write}.` } } },
});

describe('a change of what tools are made of', () => {
  test('is compiled once, however often others change the rest meanwhile', async () => {
    const { code, compiled, deployment } = await revising(3, named);

    expect({ code, compiled }).toEqual({ code: 'done', compiled: 1 });
    expect(deployment).toMatchObject({ name: 'Books 3', publication: { toolMode: 'search' } });
  });

  test('is compiled anew where others have changed the tools, and loses nothing of theirs', async () => {
    const { code, compiled, deployment } = await revising(1, described);

    expect({ code, compiled }).toEqual({ code: 'done', compiled: 2 });
    expect(deployment).toMatchObject({
      publication: {
        toolMode: 'search',
        overrides: { listBooks: { description: 'All of them, 1.' } },
      },
    });
  });

  test('is refused after the second time, rather than compiled again and again', async () => {
    const { code, compiled, deployment } = await revising(3, described);

    expect({ code, compiled }).toEqual({ code: 'conflict', compiled: 2 });
    expect(deployment?.publication).toMatchObject({
      overrides: { listBooks: { description: 'All of them, 2.' } },
    });
    expect(deployment?.publication.toolMode).toBeUndefined();
  });
});
