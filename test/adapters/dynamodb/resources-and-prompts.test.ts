import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoPrompts } from '../../../layers/core/adapters/dynamodb/prompts.ts';
import { dynamoResources } from '../../../layers/core/adapters/dynamodb/resources.ts';
import type { Prompt, Resource } from '../../../layers/core/domain/deployment.ts';
import { incompressible, startStore, type Store } from './fixtures.ts';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());
afterEach(() => store.aws.faults.clear());

const TableName = () => store.tableName('deployment-content');
const resources = () => dynamoResources(store.instance(), TableName());
const prompts = () => dynamoPrompts(store.instance(), TableName());
const putRaw = (Item: Record<string, unknown>) =>
  store.instance().send(new PutCommand({ TableName: TableName(), Item }));

const aResource = (over: Partial<Resource> = {}): Resource => ({
  name: 'readme',
  uri: 'file:///readme.md',
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
  ])('one reads back as it was written: with %s', async (what, resource) => {
    await resources().put(`res ${what}`, resource);

    expect(await resources().list(`res ${what}`)).toEqual([resource]);
  });

  test('are none before the first', async () => {
    expect(await resources().list('empty')).toEqual([]);
  });

  test('are listed by name, without those of others and without prompts', async () => {
    await resources().put('dep-1', aResource({ name: 'b' }));
    await resources().put('dep-1', aResource({ name: 'a' }));
    await resources().put('dep-10', aResource({ name: 'c' }));
    await prompts().put('dep-1', aPrompt({ name: 'd' }));

    expect((await resources().list('dep-1')).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('one replaces an older one of its name whole', async () => {
    await resources().put('replacing', aResource({ title: 'Old' }));
    await resources().put('replacing', aResource({ content: 'new' }));

    expect(await resources().list('replacing')).toEqual([aResource({ content: 'new' })]);
  });

  test('are all listed when they fill several pages', async () => {
    const content = incompressible(300_000);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await resources().put('paged', aResource({ name, content }));
    store.aws.calls.reset();

    expect((await resources().list('paged')).map(({ name }) => name)).toEqual(names);
    expect(store.aws.calls.count({ operation: 'Query' })).toBeGreaterThan(1);
  });

  test('are a fault if one does not have its form', async () => {
    await resources().put('broken', aResource());
    await putRaw({ pk: 'DEP#broken', sk: 'RES#x', name: 'x', uri: 'file:///x', content: 7 });

    await expect(resources().list('broken')).rejects.toMatchObject({
      message: 'dynamodb: a resource of deployment broken is not readable',
    });
  });

  test('are a fault when the store is down', async () => {
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(resources().list('any')).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(resources().put('any', aResource())).rejects.toMatchObject({
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
  ])('one reads back as it was written: with %s', async (what, prompt) => {
    await prompts().put(`prompt ${what}`, prompt);

    expect(await prompts().find(`prompt ${what}`, 'greet')).toEqual(prompt);
    expect(await prompts().list(`prompt ${what}`)).toEqual([prompt]);
  });

  test('one is found by its exact name only', async () => {
    await prompts().put('exact', aPrompt());

    expect(await prompts().find('exact', 'gree')).toBeUndefined();
    expect(await prompts().find('other', 'greet')).toBeUndefined();
  });

  test('are listed by name, without resources', async () => {
    await prompts().put('listed', aPrompt({ name: 'b' }));
    await prompts().put('listed', aPrompt({ name: 'a' }));
    await resources().put('listed', aResource({ name: 'c' }));

    expect((await prompts().list('listed')).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('one that does not have its form is a fault', async () => {
    await putRaw({ pk: 'DEP#bad', sk: 'PROMPT#x', name: 'x', arguments: [{}], template: '' });

    await expect(prompts().find('bad', 'x')).rejects.toMatchObject({ name: 'Fault' });
    await expect(prompts().list('bad')).rejects.toMatchObject({ name: 'Fault' });
  });

  test('are a fault when the store is down', async () => {
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(prompts().list('any')).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(prompts().find('any', 'x')).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(prompts().put('any', aPrompt())).rejects.toMatchObject({ neighbour: 'dynamodb' });
  });
});
