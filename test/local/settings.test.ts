import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FunctionName } from '../../lambdas/manifest.ts';
import { textOf } from '../../lib/stage/setting.ts';
import { FUNCTION_SETTINGS, variableOf } from '../../lib/stage/variables.ts';
import { startArguments } from '../../local/run/aws-resources.ts';
import { readOptions } from '../../local/run/options.ts';
import { startTestAws, type TestAws } from '../support/aws/aws.ts';
import { OPTIONS } from '../support/stacks/options.ts';

describe('a setting of npm start', () => {
  let aws: TestAws;
  beforeAll(async () => {
    aws = await startTestAws();
  });
  afterAll(() => aws.stop());

  const ofVariables = FUNCTION_SETTINGS.filter(
    ([, { localDescription, localOption }]) => localDescription !== undefined && !localOption,
  );

  test.each(ofVariables)('that is `%s` reaches each function that is given it', (key, row) => {
    const variable = variableOf(key);
    const texts = OPTIONS[key].map((form) => textOf(row, form[key]));

    for (const text of texts) {
      const { settings } = readOptions([], { [`HOSTED_MCP_${variable}`]: text }, '/checkout');
      const given = row.functions
        .filter((name): name is FunctionName => name !== 'network')
        .map((name) => startArguments(name, 'http://127.0.0.1/v1', { settings }, aws.aws, 80))
        .map(({ environment }) => environment[variable]);

      expect([...new Set(given)]).toEqual([settings[variable]]);
      expect(row.read(given[0])).toEqual(row.read(settings[variable]));
      if (key !== 'limits') expect(settings[variable]).toBe(text);
    }
  });
});
