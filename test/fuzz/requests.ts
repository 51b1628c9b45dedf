import { notReadBack, told } from '../support/openapi/call-differences.ts';
import { nastyTexts } from '../support/openapi/free-texts.ts';
import { descriptions } from '../support/generated/index.ts';
import { randomOf } from '../support/random.ts';
import { randomArguments } from '../support/openapi/sample-arguments.ts';
import { senderTo } from '../support/openapi/sent-calls.ts';
import { startValidatingApi } from '../support/target/validating-api.ts';
import { violationsOf } from '../support/openapi/validator-exceptions.ts';
import { countsOf, type Fuzzed } from './counts.ts';

/**
 * Calls every tool of so many generated descriptions over a socket: with arguments that their own
 * validator has to accept, and with such as only have to be read back as they were meant.
 */
export const fuzzRequests = async (count: number, seed: number): Promise<Fuzzed> => {
  await using api = await startValidatingApi();
  using sender = senderTo(api);
  const random = randomOf(seed);
  const counts = countsOf('requests', seed);
  let cases = 0;

  for (const [index, description] of descriptions(count, seed).entries()) {
    const started = performance.now();
    const text = JSON.stringify(description);
    const plain = await sender.send(text, description, ({ inputSchema }) =>
      [1, 2].map(() => randomArguments(inputSchema, random, () => 'word')),
    );
    const nasty = await sender.send(text, undefined, (tool) => [
      randomArguments(tool.inputSchema, random, nastyTexts(tool, random)),
    ]);
    const calls = [...plain, ...nasty];
    const wrong = [
      ...plain.flatMap((call) => told(call, violationsOf(call))),
      ...calls.flatMap((call) => told(call, [call.refused ?? []].flat())),
      ...(await notReadBack(description, calls)),
    ];
    for (const one of wrong) {
      const what = typeof one.said === 'string' ? one.said : one.said.message;
      const detail = JSON.stringify(one, undefined, 1);
      const input = Buffer.from(text);
      counts.failed({ index, what: what.slice(0, 60), detail, input });
    }
    cases += calls.length;
    counts.ended('sent', calls.filter(({ refused }) => refused === undefined).length);
    counts.took(performance.now() - started, index);
  }
  return counts.fuzzed(cases);
};
