import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { notReadBack, told } from '../../support/openapi/call-differences.ts';
import { nastyTexts } from '../../support/openapi/free-texts.ts';
import { descriptions } from '../../support/generated/index.ts';
import { randomOf } from '../../support/random.ts';
import {
  allArguments,
  fewestArguments,
  randomArguments,
} from '../../support/openapi/sample-arguments.ts';
import { type Sender, senderTo } from '../../support/openapi/sent-calls.ts';
import { startValidatingApi, type ValidatingApi } from '../../support/target/validating-api.ts';
import { violationsOf } from '../../support/openapi/validator-exceptions.ts';
import { runs } from '../../support/generated/runs.ts';

const SEED = 20_261_120;
const GENERATED = descriptions(runs(60), SEED);

let api: ValidatingApi;
let sender: Sender;

beforeAll(async () => {
  api = await startValidatingApi();
  sender = senderTo(api);
});
afterAll(async () => {
  sender[Symbol.dispose]();
  await api[Symbol.asyncDispose]();
});

describe('a call of any operation of any description', () => {
  test('is a request that the description’s own validator accepts, and that says what was meant', async () => {
    const random = randomOf(SEED);
    let count = 0;
    for (const description of GENERATED) {
      const calls = await sender.send(
        JSON.stringify(description),
        description,
        ({ inputSchema }) => [
          fewestArguments(inputSchema),
          allArguments(inputSchema),
          randomArguments(inputSchema, random, () => 'word'),
        ],
      );
      count += calls.length;

      expect(calls.flatMap((call) => told(call, [call.refused ?? []].flat()))).toEqual([]);
      expect(calls.flatMap((call) => told(call, violationsOf(call)))).toEqual([]);
      expect(await notReadBack(description, calls)).toEqual([]);
    }
    expect(count).toBeGreaterThan(10 * GENERATED.length);
  });

  test('says what was meant, whatever characters it is made of', async () => {
    const random = randomOf(SEED);
    for (const description of GENERATED) {
      const calls = await sender.send(JSON.stringify(description), undefined, (tool) => [
        randomArguments(tool.inputSchema, random, nastyTexts(tool, random)),
      ]);

      expect(calls.flatMap((call) => told(call, [call.refused ?? []].flat()))).toEqual([]);
      expect(await notReadBack(description, calls)).toEqual([]);
    }
  });

  test('is refused without any one of the arguments that are required', async () => {
    for (const description of GENERATED.slice(0, runs(20))) {
      const calls = await sender.send(JSON.stringify(description), undefined, ({ inputSchema }) => {
        const args = fewestArguments(inputSchema);
        const { required = [] } = inputSchema as { required?: readonly string[] };
        return required.map((name) =>
          Object.fromEntries(Object.entries(args).filter(([one]) => one !== name)),
        );
      });

      expect(calls.filter(({ refused }) => refused === undefined)).toEqual([]);
    }
  });
});
