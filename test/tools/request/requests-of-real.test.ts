import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { notReadBack, told } from '../../support/openapi/call-differences.ts';
import { nastyTexts } from '../../support/openapi/free-texts.ts';
import { readText } from '../../support/openapi/intake.ts';
import { randomOf } from '../../support/random.ts';
import {
  allArguments,
  fewestArguments,
  randomArguments,
} from '../../support/openapi/sample-arguments.ts';
import { type SentCall, type Sender, senderTo } from '../../support/openapi/sent-calls.ts';
import {
  startValidatingApi,
  type ValidatingApi,
  type Violation,
} from '../../support/target/validating-api.ts';
import { violationsOf } from '../../support/openapi/validator-exceptions.ts';

const FOLDER = new URL('../../../../shared/openapi/', import.meta.url);
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter((name) => /\.(json|ya?ml)$/.test(name))
  : [];

/** Paths that the validator gets to see: it prepares every operation in full, for seconds. */
const MOST_PATHS = 12;

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

if (files.length === 0) {
  test.skip('real descriptions: the folder shared/openapi is not here', () => {});
}

if (files.length > 0)
  describe.each(files)('%s', (name) => {
    const text = readFileSync(new URL(name, FOLDER));
    const { root } = readText(text);

    test('gets requests that its own validator accepts', async () => {
      const served = withFewerPaths(root);
      const calls = await sender.send(text, served, ({ path, inputSchema }) =>
        Object.hasOwn(served.paths, path)
          ? [fewestArguments(inputSchema), allArguments(inputSchema)]
          : [],
      );
      const violations = calls.flatMap((call) =>
        told(
          call,
          violationsOf(call).filter((violation) => !isKnown(name, call, violation)),
        ),
      );

      expect(violations).toEqual([]);
    });

    test('gets requests that say what was meant, whatever characters they are made of', async () => {
      const random = randomOf(1);
      const calls = await sender.send(text, undefined, (tool) => [
        allArguments(tool.inputSchema),
        randomArguments(tool.inputSchema, random, nastyTexts(tool, random)),
      ]);

      expect(await notReadBack(root, calls)).toEqual([]);
    });
  });

/** A description with a few of its paths, taken evenly from all over it. */
const withFewerPaths = (root: Readonly<Record<string, unknown>>) => {
  const paths = Object.entries(root['paths'] ?? {});
  const step = Math.ceil(paths.length / MOST_PATHS);
  return { ...root, paths: Object.fromEntries(paths.filter((_, index) => index % step === 0)) };
};

/** What real descriptions refuse for another reason than a wrong request. */
const KNOWN: readonly {
  readonly why: string;
  readonly file: string;
  /** Method and path of the operation, and the place in the request. */
  readonly where: RegExp;
}[] = [
  {
    why: 'It closes a member of an `allOf`, so that nothing fits all of them; the union is meant.',
    file: 'azure-logic.yaml',
    where: /^PUT .*: body$/,
  },
  {
    why: 'A list or a plain value: the validator reads a plain one as a list of one.',
    file: 'discord.json',
    where: /^GET .*: query \/(sku_ids|tag|include_roles)/,
  },
  {
    why: 'Alternatives that overlap are the API’s business: they may be sent together.',
    file: 'openai.yaml',
    where: / body \/(tool_resources|images\/0)/,
  },
];

const isKnown = (
  name: string,
  { tool: { tool, path } }: SentCall,
  violation: Violation,
): boolean => {
  const where = `${tool.operation.method} ${path}: ${violation.location} ${violation.path}`.trim();
  return KNOWN.some((known) => known.file === name && known.where.test(where));
};
