import { describe, expect, test } from '@jest/globals';
import {
  changesOf,
  HOW_TO_RECORD,
  recorded,
  type Stateful,
  statefulIn,
  type StatefulResources,
} from '../support/stacks/stateful.ts';
import { PROD, synthesized } from '../support/stacks/synthesized.ts';

describe('what holds data', () => {
  test('is as it was recorded: nothing is replaced, lost, or new without being recorded', () => {
    const { faults, changes } = changesOf(recorded(), statefulIn(synthesized()));

    expect({ faults, changes, record: HOW_TO_RECORD }).toEqual({
      faults: [],
      changes: [],
      record: HOW_TO_RECORD,
    });
  });

  test('is the same in every stage', () => {
    const dev = synthesized({ name: 'dev', retainData: false });
    const withoutNames = (resources: StatefulResources) =>
      Object.entries(resources).map(([id, { type, keys, indexes }]) => ({
        id,
        type,
        keys,
        indexes,
      }));

    expect(withoutNames(statefulIn(dev)).filter(({ id }) => !id.includes('Emptying'))).toEqual(
      withoutNames(recorded()),
    );
  });

  test('is not touched by a changed limit, and neither is anything else of its stack', () => {
    const before = synthesized();
    const after = synthesized({
      limits: { ...PROD.limits, target_timeout_seconds: 7, access_token_seconds: 600 },
      requestsPerSecond: 7,
      burst: 8,
    });
    expect(after.data.toJSON()).toEqual(before.data.toJSON());

    const [was, is] = [before, after].map(
      ({ service }) => service.toJSON()['Resources'] as Record<string, { Type: string }>,
    );
    const touched = [...new Set([...Object.keys(was!), ...Object.keys(is!)])]
      .filter((id) => JSON.stringify(was![id]) !== JSON.stringify(is![id]))
      .map((id) => (is![id] ?? was![id])!.Type);
    expect([...new Set(touched)].toSorted()).toEqual([
      'AWS::ApiGatewayV2::Stage',
      // On the version that is released.
      'AWS::CloudWatch::Alarm',
      'AWS::Lambda::Alias',
      'AWS::Lambda::Function',
      'AWS::Lambda::Version',
    ]);
  });
});

describe('a change of what holds data', () => {
  const table: Stateful = {
    type: 'AWS::DynamoDB::Table',
    keys: 'pk HASH S',
    indexes: { 'by-owner': 'ownerId HASH S' },
  };
  const log: Stateful = { type: 'AWS::Logs::LogGroup', fixed: { LogGroupName: '/a' } };
  const indexes = (...names: string[]): Stateful => ({
    ...table,
    indexes: Object.fromEntries(names.map((name) => [name, 'ownerId HASH S'])),
  });

  test.each<[string, Stateful, StatefulResources, RegExp]>([
    ['that loses a table', table, {}, /^Table \(AWS::DynamoDB::Table\) is gone/],
    ['of a type', table, { Table: { ...table, type: 'AWS::DynamoDB::GlobalTable' } }, /^Table was/],
    [
      'of the keys of a table',
      table,
      { Table: { ...table, keys: 'id HASH S' } },
      /^Table has the keys id HASH S instead of pk HASH S: another, empty table/,
    ],
    [
      'of the keys of an index',
      table,
      { Table: { ...table, indexes: { 'by-owner': 'owner HASH S' } } },
      /^the index by-owner of Table has other keys: give it another name/,
    ],
    ['that makes two indexes', table, { Table: indexes('by-owner', 'b', 'c') }, /one after the/],
    ['that swaps two indexes', table, { Table: indexes('b') }, /one after the other$/],
    ['of a name', log, { Table: { ...log, fixed: { LogGroupName: '/b' } } }, /^Table has another/],
  ])('%s is refused', (_, before, after, sentence) => {
    expect(changesOf({ Table: before }, after).faults).toEqual([expect.stringMatching(sentence)]);
  });

  test('that makes or removes one index, or a table, is only to be recorded', () => {
    const after = { Table: indexes('by-owner', 'by-slug'), Other: table };

    expect(changesOf({ Table: table }, after)).toEqual({
      faults: [],
      changes: ['Table has the new index by-slug', 'Other (AWS::DynamoDB::Table) is new'],
    });
    expect(changesOf({ Table: table }, { Table: indexes() })).toEqual({
      faults: [],
      changes: ['Table loses the index by-owner'],
    });
  });
});
