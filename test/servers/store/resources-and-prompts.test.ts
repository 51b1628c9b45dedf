import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoPrompts } from '../../../layers/contents/store/prompts.ts';
import { dynamoResources } from '../../../layers/contents/store/resources.ts';
import type { Prompt, Resource } from '../../../layers/contents/rules/contents.ts';
import {
  contentTables,
  home,
  incompressible,
  PLENTY,
  startStore,
} from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => store.aws.faults.clear());

const TableName = () => store.tableName('deployment-content');
const resources = () => dynamoResources(store.instance(), contentTables(store));
const prompts = () => dynamoPrompts(store.instance(), contentTables(store));
const putRaw = (Item: Record<string, unknown>) =>
  store.instance().send(new PutCommand({ TableName: TableName(), Item }));

const aResource = (over: Partial<Resource> = {}): Resource => ({
  name: 'readme',
  uri: `file:///${over.name ?? 'readme'}.md`,
  content: '# Hello',
  encoding: 'text',
  ...over,
});

const aPrompt = (over: Partial<Prompt> = {}): Prompt => ({
  name: 'greet',
  arguments: [],
  template: 'Hello {{name}}',
  ...over,
});

describe('the resources of a deployment', () => {
  test.each([
    ['only what it must have', aResource()],
    [
      'everything',
      aResource({
        title: 'Logo',
        description: 'As PNG',
        mimeType: 'image/png',
        content: 'iVBORw==',
        encoding: 'base64',
      }),
    ],
    ['no content at all', aResource({ content: '' })],
  ])('are found as they were written: with %s', async (what, resource) => {
    await resources().create(home(`res ${what}`), resource, PLENTY);

    expect(await resources().list(`res ${what}`)).toEqual([resource]);
  });

  test('are none before the first', async () => {
    expect(await resources().list('empty')).toEqual([]);
  });

  test('are listed by name, without those of others and without prompts', async () => {
    await resources().create(home('dep-1'), aResource({ name: 'b' }), PLENTY);
    await resources().create(home('dep-1'), aResource({ name: 'a' }), PLENTY);
    await resources().create(home('dep-10'), aResource({ name: 'c' }), PLENTY);
    await prompts().create(home('dep-1'), aPrompt({ name: 'd' }), PLENTY);

    expect((await resources().list('dep-1')).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('are replaced whole by another one of the name', async () => {
    await resources().create(home('replacing'), aResource({ title: 'Old' }), PLENTY);
    await resources().replace(home('replacing'), aResource({ content: 'new' }), PLENTY);

    expect(await resources().list('replacing')).toEqual([aResource({ content: 'new' })]);
  });

  test('are all listed when they fill several pages', async () => {
    const content = incompressible(300_000);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names)
      await resources().create(home('paged'), aResource({ name, content }), PLENTY);
    store.aws.calls.reset();

    expect((await resources().list('paged')).map(({ name }) => name)).toEqual(names);
    expect(store.aws.calls.count({ operation: 'Query' })).toBeGreaterThan(1);
  });

  test('are reported as a fault if one is not as it was stored', async () => {
    await resources().create(home('broken'), aResource(), PLENTY);
    await putRaw({ pk: 'DEP#broken', sk: 'RES#x', name: 'x', uri: 'file:///x', content: 7 });

    await expect(resources().list('broken')).rejects.toMatchObject({
      message: 'dynamodb: a resource of deployment broken is not readable',
    });
  });

  test('are reported as a fault when the store is down', async () => {
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(resources().list('any')).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(resources().create(home('any'), aResource(), PLENTY)).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });
});

describe('the prompts of a deployment', () => {
  const full = aPrompt({
    title: 'Greeting',
    description: 'Says hello',
    arguments: [
      { name: 'name', required: true },
      { name: 'tone', required: false, description: 'How' },
    ],
  });

  test.each([
    ['only what it must have', aPrompt()],
    ['everything', full],
  ])('are found as they were written: with %s', async (what, prompt) => {
    await prompts().create(home(`prompt ${what}`), prompt, PLENTY);

    expect(await prompts().find(`prompt ${what}`, 'greet')).toEqual(prompt);
    expect(await prompts().list(`prompt ${what}`)).toEqual([prompt]);
  });

  test('are found by their exact names only', async () => {
    await prompts().create(home('exact'), aPrompt(), PLENTY);

    expect(await prompts().find('exact', 'gree')).toBeUndefined();
    expect(await prompts().find('other', 'greet')).toBeUndefined();
  });

  test('are listed by name, without resources', async () => {
    await prompts().create(home('listed'), aPrompt({ name: 'b' }), PLENTY);
    await prompts().create(home('listed'), aPrompt({ name: 'a' }), PLENTY);
    await resources().create(home('listed'), aResource({ name: 'c' }), PLENTY);

    expect((await prompts().list('listed')).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('are reported as a fault if one is not as it was stored', async () => {
    await putRaw({ pk: 'DEP#bad', sk: 'PROMPT#x', name: 'x', arguments: [{}], template: '' });

    await expect(prompts().find('bad', 'x')).rejects.toMatchObject({ name: 'Fault' });
    await expect(prompts().list('bad')).rejects.toMatchObject({ name: 'Fault' });
  });

  test('are reported as a fault when the store is down', async () => {
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(prompts().list('any')).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(prompts().find('any', 'x')).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(prompts().create(home('any'), aPrompt(), PLENTY)).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });
});
