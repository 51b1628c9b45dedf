import { notReadBack, told } from '../support/openapi/call-differences.ts';
import { nastyTexts } from '../support/openapi/free-texts.ts';
import { descriptions } from '../support/generated/index.ts';
import { randomOf } from '../support/random.ts';
import { randomArguments } from '../support/openapi/sample-arguments.ts';
import { senderTo } from '../support/openapi/sent-calls.ts';
import { startValidatingApi } from '../support/target/validating-api.ts';
import { violationsOf } from '../support/openapi/validator-exceptions.ts';
import type { Fuzzed } from './fuzz.ts';
import type { Fault } from './subject.ts';

/**
 * Calls every tool of so many generated descriptions over a socket: with arguments that their own
 * validator has to accept, and with such as only have to be read back as they were meant.
 */
export const fuzzRequests = async (count: number, seed: number): Promise<Fuzzed> => {
  await using api = await startValidatingApi();
  using sender = senderTo(api);
  const random = randomOf(seed);
  const faults: Fault[] = [];
  let [cases, sent, slowestMs, slowestIndex, totalMs] = [0, 0, 0, 0, 0];

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
      faults.push({ subject: 'requests', seed, index, what: what.slice(0, 60), detail, input });
    }
    const ms = performance.now() - started;
    cases += calls.length;
    sent += calls.filter(({ refused }) => refused === undefined).length;
    totalMs += ms;
    if (ms > slowestMs) [slowestMs, slowestIndex] = [ms, index];
  }
  const outcomes = { sent };
  return { subject: 'requests', cases, outcomes, faults, slowestMs, slowestIndex, totalMs };
};
