import { readFile, writeFile } from 'node:fs/promises';
import { type Command, command, type Context } from '../command.ts';
import { forEach } from '../declared/service.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { descriptionFrom } from '../input/description.ts';
import { reportOf } from '../input/opening.ts';
import { textFrom } from '../input/ask.ts';
import { isJson, type Json, jsonOf, listOf, parsed, stringOf, textOf } from '../json.ts';
import { choiceOf, modelNamed } from '../models/ask-model.ts';
import { type Case, faultOf, readCases } from '../models/cases.ts';
import type { OfferedTool } from '../../layers/openapi/model-apis/protocols.ts';
import { plain } from '../text/plain.ts';
import { count } from '../text/words.ts';

interface Result {
  readonly wish: string;
  readonly tool: string | null;
  readonly chosen: string | null;
  readonly right: boolean;
  readonly fault?: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

const evaluate = command({
  name: 'eval',
  summary: 'Asks a model which tool it would call for each of your cases, and calls none',
  places: ['cases-file'],
  options: {
    model: {
      value: 'VENDOR/MODEL',
      help: 'anthropic/…, openai/… or google/…, with your key in ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY',
    },
    'model-url': { value: 'URL', help: 'of another host that speaks the protocol of the vendor' },
    server: { value: 'SLUG', help: 'whose tools; otherwise that of the file' },
    openapi: { value: 'FILE', help: 'of the next version, before it is published' },
    least: { value: 'PERCENT', help: 'ends well with so many right; 100 if omitted' },
    price: { value: 'IN/OUT', help: 'dollars for a million tokens, to tell what it cost' },
    out: { value: 'FILE', help: 'writes the results, for --since' },
    since: { value: 'FILE', help: 'results of before: tells what is right or wrong since' },
  },
  details: [
    'The file has `version: 1`, `server`, and `cases`: each a `wish`, the `tool` that should be chosen (null: none)',
    'and, if you like, `arguments` that it should be called with. Your key goes to the vendor and nowhere else; the',
    'wishes and the descriptions of the tools go there, too. The API is not called.',
  ],
  run: async (context, { 'cases-file': file }, given) => {
    const { output, world, ask } = context;
    const least = percentOf(given.least);
    const prices = pricesOf(given.price);
    const model = modelNamed(world, given.model, given['model-url']);
    const read = readCases(file, await textFrom(ask, file));
    const slug = given.server ?? read.server;
    if (slug === undefined)
      throw usageFailure('Which server is meant? --server SLUG, or `server` in the file.');
    const { tools, instructions } = await offeredBy(context, slug, given.openapi);
    checkTools(read.cases, tools, slug);

    output.note(`Asking ${given.model} ${count(read.cases.length, 'time')} ...`);
    const results = await forEach(read.cases, async (one): Promise<Result> => {
      const choice = await choiceOf(world, model, {
        turns: [{ wish: one.wish }],
        tools,
        instructions,
      });
      const fault = faultOf(one, choice);
      return {
        wish: one.wish,
        tool: one.tool,
        chosen: choice.calls[0]?.tool ?? null,
        right: fault === undefined,
        ...(fault !== undefined && { fault }),
        input_tokens: choice.inputTokens,
        output_tokens: choice.outputTokens,
      };
    });
    const before = given.since === undefined ? undefined : await resultsIn(given.since);
    const value = summaryOf(given.model ?? '', slug, results, prices);
    if (given.out !== undefined) await writeFile(given.out, `${JSON.stringify(value, null, 2)}\n`);
    output.result(value, linesOf(value, results, before));
    return (100 * value.right) / results.length >= least ? EXIT.ok : EXIT.refused;
  },
});

const percentOf = (text = '100'): number => {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw usageFailure(`--least is a percentage from 0 to 100, not "${text}".`);
};

const pricesOf = (
  text: string | undefined,
): readonly [input: number, output: number] | undefined => {
  if (text === undefined) return undefined;
  const [, input, output] = /^(\d{1,4}(?:\.\d{1,4})?)\/(\d{1,4}(?:\.\d{1,4})?)$/.exec(text) ?? [];
  if (output === undefined)
    throw usageFailure(`--price is two numbers, as in 3/15, not "${text}".`);
  return [Number(input), Number(output)];
};

/** The tools of a server as clients show them to models, or those of a description that is not published. */
const offeredBy = async (
  context: Context,
  slug: string,
  openapi: string | undefined,
): Promise<{
  readonly tools: readonly OfferedTool[];
  readonly instructions: string | undefined;
}> => {
  const { api } = context;
  const path = { slug };
  const server = await api.call('GET /deployments/{slug}', { path });
  if (server.tool_mode === 'search') {
    throw usageFailure(
      `${slug} is in search mode: its clients get three tools, and which operation they find is for "call ${slug} search".`,
    );
  }
  const listed =
    openapi === undefined
      ? await api.list('GET /deployments/{slug}/tools', { path })
      : await nextTools(context, slug, openapi);
  const instructions = textOf(server.instructions);
  return {
    instructions,
    tools: listed.map((tool) => ({
      name: stringOf(tool.name),
      description: stringOf(tool.description),
      inputSchema: isJson(tool.input_schema) ? tool.input_schema : { type: 'object' },
    })),
  };
};

const nextTools = async (
  context: Context,
  slug: string,
  file: string,
): Promise<readonly Json[]> => {
  const choices = { root: undefined, 'fetch-refs': false, strict: false };
  const { json } = await descriptionFrom(context, file, choices);
  const report: Json = await reportOf(context.api, { ...json, deployment: slug });
  return listOf(report.tools);
};

/** @throws Failure for a tool that no model can choose, with each */
const checkTools = (cases: readonly Case[], tools: readonly OfferedTool[], slug: string): void => {
  const known = new Set(tools.map(({ name }) => name));
  const findings = cases.flatMap(({ tool }, index) =>
    tool === null || known.has(tool)
      ? []
      : [
          {
            where: `cases[${index}]`,
            what: `${slug} has no tool ${tool}`,
            hint: `npx hosted-mcp tools ${slug} lists them.`,
          },
        ],
  );
  if (findings.length === 0) return;
  throw new Failure(EXIT.refused, 'cases_refused', 'Some cases cannot be right.', { findings });
};

const summaryOf = (
  model: string,
  server: string,
  results: readonly Result[],
  prices: readonly [number, number] | undefined,
) => {
  const sum = (of: (result: Result) => number) =>
    results.reduce((total, one) => total + of(one), 0);
  const [input, output] = [sum((one) => one.input_tokens), sum((one) => one.output_tokens)];
  const dollars = prices && (input * prices[0] + output * prices[1]) / 1e6;
  return {
    version: 1,
    model,
    server,
    right: results.filter(({ right }) => right).length,
    cases: results.length,
    input_tokens: input,
    output_tokens: output,
    ...(dollars !== undefined && { dollars: Number(dollars.toFixed(4)) }),
    results,
  };
};

/** Which wishes were right before. @throws Failure */
const resultsIn = async (path: string): Promise<ReadonlyMap<string, boolean>> => {
  const text = await readFile(path, 'utf8').catch(() => '');
  const { version, results } = jsonOf(parsed(text));
  if (version === 1 && Array.isArray(results)) {
    return new Map(listOf(results).map((one) => [stringOf(one.wish), one.right === true]));
  }
  throw new Failure(EXIT.refused, 'file_unreadable', `${path} holds no results of eval.`);
};

const linesOf = (
  {
    right,
    cases,
    input_tokens: input,
    output_tokens: output,
    dollars,
  }: ReturnType<typeof summaryOf>,
  results: readonly Result[],
  before: ReadonlyMap<string, boolean> | undefined,
): readonly string[] => {
  const wrong = results.filter((one) => !one.right);
  const since = results.filter(
    ({ wish, right: is }) => before?.has(wish) && before.get(wish) !== is,
  );
  return [
    ...wrong.map(
      ({ wish, tool, fault }) => `- ${wish}\n    ${tool ?? 'no tool'} was wanted; it ${fault}`,
    ),
    ...since.map(({ wish, right: is }) => `${is ? '+ right now' : '! wrong now'}: ${wish}`),
    `${right} of ${count(cases, 'case')} right, ${input} tokens in and ${output} out${dollars === undefined ? '' : `, $${dollars}`}.`,
  ].flatMap((line) => line.split('\n').map(plain));
};

export const evalCommands: readonly Command[] = [evaluate];
