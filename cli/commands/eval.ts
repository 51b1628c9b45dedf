import {
  type Case,
  type CaseResult,
  changedSince,
  dollarsFor,
  evaluate,
  type Evaluation,
  type NoAnswer,
} from '../../layers/openapi/model-apis/cases.ts';
import { callResult } from '../../layers/openapi/model-apis/call-result.ts';
import type {
  CallResult,
  ModelCall,
  ModelChoice,
  OfferedTool,
  Turn,
} from '../../layers/openapi/model-apis/protocols.ts';
import { operationsAskedFor } from '../../layers/search/asked-operation.ts';
import { deferredToolsAskedFor } from '../../layers/search/deferred-tools.ts';
import type { RequestHeaders } from '../api/api.ts';
import { patiently } from '../api/patiently.ts';
import { tryTool } from '../api/trial.ts';
import { command, type Context } from '../command.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { OUT, outputBeside, writeOut } from '../files.ts';
import { type Ask, textFrom } from '../input/ask.ts';
import { TOOL_OPTIONS, toolChoicesFrom } from '../input/choices.ts';
import { descriptionFrom } from '../input/description.ts';
import { reportOf } from '../input/opening.ts';
import { isJson, type Json, jsonOf, listOf, parsed, stringOf, textOf } from '../json.ts';
import { type AskedModel, choiceOf, modelNamed } from '../models/ask-model.ts';
import { readCases } from '../models/cases.ts';
import { plain } from '../text/plain.ts';
import { count } from '../text/words.ts';

export const evalCommand = command({
  name: 'eval',
  summary: 'Asks a model which tool it would call for each of your cases, and calls none',
  places: ['cases-file?'],
  options: {
    model: {
      value: 'VENDOR/MODEL',
      help: 'anthropic/…, openai/… or google/…, with your key in ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY',
    },
    'model-url': { value: 'URL', help: 'of another host that speaks the protocol of the vendor' },
    server: {
      value: 'SLUG',
      help: 'whose tools, and without a file whose cases; otherwise that of the file',
    },
    version: { value: 'NUMBER', help: 'of a former version to ask about, if not the served one' },
    openapi: { value: 'FILE-OR-URL', help: 'of the next version, before it is published' },
    ...TOOL_OPTIONS,
    defer: {
      help: 'as in a client that shows no tool before the model has searched for it',
    },
    least: {
      value: 'PERCENT',
      help: 'ends well with so many right; if omitted, what the server asks for, or 100',
    },
    price: { value: 'IN/OUT', help: 'dollars for a million tokens, to tell what it cost' },
    out: { ...OUT, help: 'writes the results, for --since; - is standard output' },
    since: {
      value: 'FILE',
      help: 'results of an earlier run: tells what changed; - reads standard input',
    },
  },
  details: [
    'Without a file the cases are those that the service keeps (`cases SLUG`). It keeps their results, too.',
    'A file has `version: 1`, `server`, and `cases`: each a `wish`, the `tool` that should be chosen (null: none)',
    'and, if you like, `arguments` that it should be called with. Your key goes to the vendor and nowhere else; the',
    'wishes and the descriptions of the tools go there, too. The API is not called. Options from --include to',
    '--structured-output are for a version that is to be published with them. In search mode the model',
    'may search, and read of operations, before it chooses one. With --defer a list of tools is used as by clients',
    'that defer them; the three of search mode those have from the start. The service keeps no such run.',
  ],
  run: async (context, { 'cases-file': file }, given) => {
    const { world } = context;
    const output = outputBeside(context.output, given.out);
    const { price } = given;
    checkPrice(price);
    const least = given.least === undefined ? undefined : percentOf(given.least);
    const model = modelNamed(world, given.model, given['model-url']);
    const asked = await casesFrom(context, file, given.server);
    const { slug, cases } = asked;
    const offered = await offeredBy(context, slug, {
      version: given.version === undefined ? undefined : versionIn(given.version),
      openapi: given.openapi,
      chosen: await toolChoicesFrom(context.ask, given),
    });
    if (file !== undefined) checkTools(cases, offered.operations, slug);
    const before = await resultsBefore(context, asked, given.since);

    output.note(`Asking ${given.model} ${count(cases.length, 'time')} ...`);
    const evaluation = await ask(context, slug, model, cases, offered, given.defer === true);
    const summary = summaryOf(given.model ?? '', slug, evaluation.results, price);
    // A deferred run is not kept: runs that count for a release show all tools.
    const headers = given.defer === true ? undefined : asked.headers;
    const kept = headers && (await keep(context, summary, offered, evaluation, headers));
    const value = { ...summary, ...(kept !== undefined && { kept }) };
    // Results are written even if the run broke off: its answers were paid for.
    if (given.out !== undefined) {
      await writeOut(world, given.out, `${JSON.stringify(value, null, 2)}\n`);
    }
    if (evaluation.ended !== undefined) {
      linesOf(summary, before).forEach((line) => output.note(line));
      throw new Failure(EXIT.refused, 'key_refused', evaluation.ended);
    }
    output.result(value, linesOf(summary, before));
    return (100 * value.right) / value.cases >= (least ?? offered.least) ? EXIT.ok : EXIT.refused;
  },
});

const percentOf = (text: string): number => {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw usageFailure(`--least is a percentage from 0 to 100, not "${text}".`);
};

const versionIn = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageFailure(`--version is the number of a version, not "${text}".`);
};

const checkPrice = (text: string | undefined): void => {
  if (text === undefined || dollarsFor(text, 0, 0) !== undefined) return;
  throw usageFailure(`--price is two numbers, as in 3/15, not "${text}".`);
};

interface AskedCases {
  readonly slug: string;
  readonly cases: readonly Case[];
  /** Headers that name the revision of the cases, if the service keeps them. */
  readonly headers?: RequestHeaders;
}

const casesFrom = async (
  { api, ask: asking }: Context,
  file: string | undefined,
  server: string | undefined,
): Promise<AskedCases> => {
  if (file !== undefined) {
    const read = readCases(file, await textFrom(asking, file));
    const slug = server ?? read.server;
    if (slug !== '') return { slug, cases: read.cases };
  }
  if (server === undefined) {
    throw usageFailure('No server is named: pass --server SLUG, or set `server` in the file.');
  }
  const { body, headers } = await api.present('GET /deployments/{slug}/cases', {
    path: { slug: server },
  });
  if (body.cases.length > 0) return { slug: server, cases: body.cases, headers };
  throw new Failure(EXIT.refused, 'no_cases', `The service keeps no cases of ${server}.`, {
    hint: `npx --no-install hosted-mcp cases ${server} --set FILE, or name a file of cases.`,
  });
};

interface Offered {
  readonly tools: readonly OfferedTool[];
  /** What cases may name: in search mode the operations found by the tools, otherwise the tools. */
  readonly operations: readonly Pick<OfferedTool, 'name'>[];
  readonly isSearch: boolean;
  readonly instructions: string | undefined;
  /** Percentage of right cases that the server requires. */
  readonly least: number;
  /** Version of the tools, or their hash if unpublished. */
  readonly of: { readonly version: number } | { readonly tools_hash: string };
  /** Headers with the server's ETag, for the model's searches in it. */
  readonly seen: RequestHeaders;
}

interface Wanted {
  readonly version: number | undefined;
  readonly openapi: string | undefined;
  readonly chosen: Json;
}

/** Tools of a version, or of a description that is not published, as clients show them to models. */
const offeredBy = async (context: Context, slug: string, wanted: Wanted): Promise<Offered> => {
  const { api } = context;
  const path = { slug };
  const { body: server, headers: seen } = await api.present('GET /deployments/{slug}', { path });
  const { version = server.version } = wanted;
  const isNext = wanted.openapi !== undefined || Object.keys(wanted.chosen).length > 0;
  if (isNext && wanted.version !== undefined) {
    throw usageFailure('Give --version, or what the next version is to have, not both.');
  }
  const isSearch = server.tool_mode === 'search';
  if (isSearch && (isNext || version !== server.version)) {
    throw usageFailure(
      `${slug} is in search mode: only the version that it serves can be searched.`,
    );
  }
  const report = isNext ? await reportOn(context, slug, wanted) : undefined;
  const operations = (
    report?.tools ??
    (await api.list('GET /deployments/{slug}/tools', { path, query: { version: String(version) } }))
  ).map(offeredTool);
  return {
    least: server.cases_right ?? 100,
    of: report ? { tools_hash: report.tools_hash ?? '' } : { version },
    instructions: textOf(server.instructions),
    isSearch,
    operations,
    seen,
    tools: isSearch
      ? (await api.call('GET /deployments/{slug}/search-tools', { path })).tools.map(offeredTool)
      : operations,
  };
};

const offeredTool = (tool: Json): OfferedTool => ({
  name: stringOf(tool.name),
  description: stringOf(tool.description),
  inputSchema: isJson(tool.input_schema) ? tool.input_schema : { type: 'object' },
});

const reportOn = async (context: Context, slug: string, { openapi, chosen }: Wanted) => {
  const choices = { root: undefined, 'fetch-refs': false, strict: false };
  const json = openapi === undefined ? {} : (await descriptionFrom(context, openapi, choices)).json;
  return reportOf(context.api, { ...json, ...chosen, deployment: slug });
};

/** @throws Failure that lists tools which no model can choose */
const checkTools = (cases: readonly Case[], tools: Offered['operations'], slug: string): void => {
  const known = new Set(tools.map(({ name }) => name));
  const findings = cases.flatMap(({ tool }, index) =>
    tool === null || known.has(tool)
      ? []
      : [
          {
            where: `cases[${index}]`,
            what: `${slug} has no tool ${tool}`,
            hint: `npx --no-install hosted-mcp tools ${slug} lists them.`,
          },
        ],
  );
  if (findings.length === 0) return;
  throw new Failure(EXIT.refused, 'cases_refused', 'Some cases cannot be right.', { findings });
};

/** @throws Failure where no case got an answer */
const ask = async (
  { world, api }: Context,
  slug: string,
  model: AskedModel,
  cases: readonly Case[],
  { tools, operations, isSearch, instructions, seen }: Offered,
  isDeferring: boolean,
): Promise<Evaluation> => {
  let failure: Failure | undefined;
  const answer = async (
    turns: readonly Turn[],
    shown: readonly OfferedTool[] = tools,
  ): Promise<ModelChoice | NoAnswer> => {
    try {
      return await choiceOf(world, model, { turns, tools: shown, instructions });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure ??= error;
      return { why: error.message, ends: error.code === 'key_refused' };
    }
  };
  const look = async (call: ModelCall): Promise<CallResult> => {
    const json = { arguments: call.arguments, search: true };
    return callResult(
      call,
      // A model may search more often than the limit per minute allows one person.
      await patiently(() => tryTool(api, { slug, tool: call.tool, seen }, json)),
    );
  };
  const deferred = isDeferring && !isSearch ? deferredToolsAskedFor(tools) : undefined;
  const asked = (wish: string): Promise<ModelChoice | NoAnswer> => {
    if (isSearch) return operationsAskedFor(wish, (turns) => answer(turns), look);
    return deferred ? deferred(wish, answer) : answer([{ wish }]);
  };
  const evaluation = await evaluate(cases, operations, asked);
  if (failure && !evaluation.isAnswered) throw failure;
  return evaluation;
};

const summaryOf = (
  model: string,
  server: string,
  results: readonly CaseResult[],
  price: string | undefined,
) => {
  const sum = (of: (result: CaseResult) => number) =>
    results.reduce((total, one) => total + of(one), 0);
  const [input, output] = [sum((one) => one.input_tokens), sum((one) => one.output_tokens)];
  const dollars = price === undefined ? undefined : dollarsFor(price, input, output);
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
type Summary = ReturnType<typeof summaryOf>;

/** Stores a complete run at the service. @returns false if that failed, since results are shown all the same */
const keep = async (
  { api, output }: Context,
  { model, server, results, input_tokens, output_tokens }: Summary,
  { of }: Offered,
  { ended }: Evaluation,
  headers: RequestHeaders,
): Promise<boolean> => {
  if (ended !== undefined) return false;
  const wrong = results.filter(({ right }) => !right).map(({ wish }) => wish);
  const json = { model, ...of, wrong, input_tokens, output_tokens };
  try {
    await api.call('POST /deployments/{slug}/case-runs', { path: { slug: server }, json, headers });
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    output.note(`The service has not kept this run: ${error.message}`);
    return false;
  }
};

const resultsBefore = async (
  { api, ask: asking }: Context,
  { slug, headers }: AskedCases,
  since: string | undefined,
): Promise<readonly Pick<CaseResult, 'wish' | 'right'>[]> => {
  if (since !== undefined) return resultsIn(asking, since);
  if (!headers) return [];
  const { results } = await api.call('GET /deployments/{slug}/case-runs', { path: { slug } });
  return results;
};

const resultsIn = async (asking: Ask, path: string) => {
  const text = await textFrom(asking, path);
  const { version, results } = jsonOf(parsed(text));
  if (version === 1 && Array.isArray(results)) {
    return listOf(results).map((one) => ({ wish: stringOf(one.wish), right: one.right === true }));
  }
  throw new Failure(EXIT.refused, 'file_unreadable', `${path} holds no results of eval.`);
};

const linesOf = (
  { right, cases, input_tokens: input, output_tokens: output, dollars, results }: Summary,
  before: Awaited<ReturnType<typeof resultsBefore>>,
): readonly string[] =>
  [
    ...results
      .filter((one) => !one.right)
      .map(
        ({ wish, tool, fault }) => `- ${wish}\n    ${tool ?? 'no tool'} was wanted; it ${fault}`,
      ),
    ...changedSince(results, before).map(
      ({ wish, right: is }) => `${is ? '+ right now' : '! wrong now'}: ${wish}`,
    ),
    `${right} of ${count(cases, 'case')} right, ${input} tokens in and ${output} out${dollars === undefined ? '' : `, $${dollars}`}.`,
  ].flatMap((line) => line.split('\n').map(plain));
