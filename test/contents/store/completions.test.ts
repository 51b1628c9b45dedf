import { afterAll, describe, expect, test } from '@jest/globals';
import { dynamoPrompts } from '../../../layers/contents/store/prompts.ts';
import { dynamoResources } from '../../../layers/contents/store/resources.ts';
import type { Prompt, Resource } from '../../../layers/contents/rules/contents.ts';
import { losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import {
  aDeployment,
  contentTables,
  editorOf,
  home,
  PLENTY,
  startStore,
} from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());

const resources = () => dynamoResources(store.instance(), contentTables(store));
const prompts = (dynamo = store.instance()) => dynamoPrompts(dynamo, contentTables(store));

const aPrompt = (name: string, values?: readonly string[]): Prompt => ({
  name,
  arguments: [{ name: 'city', required: true, ...(values && { values }) }],
  template: '{{city}}',
});
const aTemplate = (name: string, values: readonly string[]): Resource => ({
  name,
  uri: `docs://${name}/{city}`,
  variables: [{ name: 'city', values }],
  content: '',
  encoding: 'text',
});

const deployed = async (id: string) => {
  await editorOf(store).create(aDeployment({ id, slug: id }));
  return {
    where: home(id),
    now: async () => {
      const { completions, revision } = (await editorOf(store).read(id)) ?? {};
      return { completions, revision };
    },
  };
};

describe('how much there is to complete is stored with the deployment', () => {
  test('and grows and shrinks with the prompts and templates that have values', async () => {
    const { where, now } = await deployed('counted');
    const { revision = 0 } = await now();

    await prompts().create(where, aPrompt('none'), PLENTY);
    await prompts().create(where, aPrompt('empty', []), PLENTY);
    expect(await now()).toEqual({ completions: undefined, revision });

    await prompts().create(where, aPrompt('one', ['Prague']), PLENTY);
    await resources().create(where, aTemplate('two', ['Prague']), PLENTY);
    expect(await now()).toEqual({ completions: 2, revision: revision + 2 });

    await prompts().replace(where, aPrompt('one', ['Brno']), PLENTY);
    expect(await now()).toEqual({ completions: 2, revision: revision + 2 });

    await prompts().replace(where, aPrompt('one'), PLENTY);
    await resources().remove(where, 'two');
    expect(await now()).toEqual({ completions: 0, revision: revision + 4 });

    await prompts().replace(where, aPrompt('none', ['Prague']), PLENTY);
    expect(await now()).toEqual({ completions: 1, revision: revision + 5 });
  });

  test('exactly, however many are added at once, and once where an answer was lost', async () => {
    const { where, now } = await deployed('at-once');
    const names = Array.from({ length: 5 }, (_, at) => `p${at}`);

    await Promise.all(
      names.map((name) => prompts().create(where, aPrompt(name, ['Prague']), PLENTY)),
    );
    const shaken = prompts(losingAnswers(store.instance(), { to: 'TransactWriteItems' }));
    await shaken.create(where, aPrompt('lost', ['Prague']), PLENTY);

    expect(await now()).toMatchObject({ completions: 6 });
  });

  test('so that a change of the deployment as it was before is refused', async () => {
    const { where } = await deployed('looked-at');
    const before = await editorOf(store).read('looked-at');
    await prompts().create(where, aPrompt('one', ['Prague']), PLENTY);

    const after = { ...before!, name: 'New', revision: before!.revision + 1 };
    expect(await editorOf(store).replace(before!, after)).toBe('stale');
  });

  test('and nothing is added where the deployment is gone, or another one', async () => {
    expect(await prompts().create(home('gone'), aPrompt('one', ['a']), PLENTY)).toBe(
      'no_deployment',
    );
    expect(await prompts().list('gone')).toEqual([]);
    expect(await editorOf(store).read('gone')).toBeUndefined();

    await deployed('taken');
    const former = { id: 'former', slug: 'taken' };
    expect(await prompts().create(former, aPrompt('one', ['a']), PLENTY)).toBe('no_deployment');
    expect(await editorOf(store).read('taken')).not.toHaveProperty('completions');
  });

  test('and nothing is found to be removed where the deployment is gone', async () => {
    const { where } = await deployed('leaving');
    await prompts().create(where, aPrompt('one', ['a']), PLENTY);

    const another = { id: 'leaving', slug: 'elsewhere' };
    expect(await prompts().remove(another, 'one')).toBe('missing');
    expect(await prompts().list('leaving')).toHaveLength(1);
  });
});

describe('a resource', () => {
  test('is found by its uri, and by none that it had before', async () => {
    const template = aTemplate('t', ['Prague']);
    await resources().create(home('uris'), { ...template, variables: [] }, PLENTY);
    expect(await resources().findByUri('uris', template.uri)).toMatchObject({ name: 't' });

    const moved = { ...template, variables: [], uri: 'docs://moved/{city}' };
    await resources().replace(home('uris'), moved, PLENTY);
    expect(await resources().findByUri('uris', template.uri)).toBeUndefined();
    expect(await resources().findByUri('uris', moved.uri)).toEqual(moved);
    expect(await resources().findByUri('others', moved.uri)).toBeUndefined();
  });
});
