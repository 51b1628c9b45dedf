import type { ItemOf } from '../../console/src/api/operation.ts';
import type { Api, Request } from '../api/api.ts';
import { tryTool } from '../api/trial.ts';
import { command, type Context } from '../command.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { numberIn } from '../input/arguments.ts';
import { isJson, jsonOf, listOf, parsed, textOf } from '../json.ts';
import { plain, plainLines, quoted } from '../text/plain.ts';
import { cell, facts } from '../text/table.ts';
import { localTime } from '../text/time.ts';
import { oneNamed } from './names.ts';

type RecordedCall = ItemOf<'GET /deployments/{slug}/recorded-calls'>;

const recording = command({
  name: 'recording',
  summary: 'Records calls with request and answer, for some days',
  places: ['slug'],
  options: {
    days: { value: 'DAYS', help: 'records from now on for 1 to 30 days; then all of it is gone' },
    tool: { value: 'TOOL', help: 'calls of this tool alone' },
    by: { value: 'WHO', help: "calls of one person: a user's e-mail or id, or an address" },
    off: { help: 'records no more; what is recorded stays until its day' },
    remove: { help: 'removes what is recorded, and records no more' },
  },
  details: [
    'Without an option it says whether calls are recorded. The consent page and the docs page of the server tell',
    'people while they are; what is likely to be a secret is masked, and each look is an event.',
  ],
  run: async ({ api, output }, { slug }, { days, tool, by: subject, off, remove }) => {
    const path = { slug };
    if ([days !== undefined, off, remove].filter(Boolean).length > 1)
      throw usageFailure('--days, --off and --remove exclude each other.');
    if (days === undefined && (tool ?? subject) !== undefined)
      throw usageFailure('--tool and --by need --days.');
    if (days !== undefined && !/^\d{1,2}$/.test(days))
      throw usageFailure(`--days must be a number from 1 to 30, not "${days}".`);
    if (remove) await api.call('DELETE /deployments/{slug}/recorded-calls', { path });
    if (off) await api.call('DELETE /deployments/{slug}/recording', { path });
    const json = { days: Number(days), tool, subject };
    const answer = await (days === undefined
      ? api.call('GET /deployments/{slug}/recording', { path })
      : api.call('PUT /deployments/{slug}/recording', { path, json }));
    const lines = answer.on
      ? facts({
          'Recorded since': localTime(answer.since),
          Until: localTime(answer.until),
          Tool: answer.tool ?? 'all',
          'Calls of': answer.subject ?? 'everybody',
        })
      : ['Calls are not recorded with their content.'];
    output.result(answer, lines);
    if (answer.on)
      output.note(`Look at them: npx --no-install hosted-mcp logs ${slug} --calls --content`);
  },
});

const replay = command({
  name: 'replay',
  summary: 'Repeats a recorded call, as a trial of yours',
  places: ['slug', 'id-or-request-id'],
  options: {
    version: {
      value: 'NUMBER',
      help: 'to a version that can be returned to; else the served one, where the tool still sends the same',
    },
    arguments: { value: 'JSON', help: 'these instead of those that are masked or to be changed' },
  },
  details: [
    '`logs SLUG --calls --content` shows ids. The call is real, with the credential of the server.',
  ],
  run: async ({ api, output }, { slug, ...places }, { version, arguments: given }) => {
    const chosen = version === undefined ? {} : { version: numberIn('--version', version) };
    const recorded = await recordedCall(api, slug, places['id-or-request-id']);
    const sent = { ...recorded.arguments, ...argumentsIn(given) };
    if (recorded.arguments === undefined && recorded.arguments_text !== undefined) {
      throw notReplayable('its arguments are not recorded as a whole', slug, recorded.tool);
    }
    if (JSON.stringify(sent).includes('[masked]')) {
      throw notReplayable('some of its arguments are masked', slug, recorded.tool);
    }
    const { body: server, headers: seen } = await api.present('GET /deployments/{slug}', {
      path: { slug },
    });
    if (version === undefined) await checkOperation(api, slug, recorded, server.version);
    const json = { arguments: sent, ...chosen };
    const answer = await tryTool(api, { slug, tool: recorded.tool, seen }, json);
    const { result, error } = answer;
    output.note(`Then: ${recorded.outcome}. Now: ${outcomeOf(answer)}.`);
    output.result(
      answer,
      listOf(jsonOf(result).content).map(({ text, type }) =>
        typeof text === 'string' ? plainLines(text) : `[${cell(type)}]`,
      ),
    );
    if (isJson(error)) output.note(cell(error.message));
    return isJson(error) || jsonOf(result).isError === true ? EXIT.refused : EXIT.ok;
  },
});

/** Ids of recorded calls begin with their time. */
const RECORDED_ID = /^\d{1,12}\./;
/** Number of newest calls that are searched for a request's id. */
const CALLS_LOOKED_AT = 1000;

/** Finds a recorded call by its own id or by its request's, which may have several calls. @throws Failure */
const recordedCall = async (api: Api, slug: string, word: string): Promise<RecordedCall> => {
  if (RECORDED_ID.test(word)) {
    return api.call('GET /deployments/{slug}/recorded-calls/{id}', { path: { slug, id: word } });
  }
  const path = { slug };
  const all = await api.list('GET /deployments/{slug}/recorded-calls', { path }, CALLS_LOOKED_AT);
  const found = oneNamed(word, all, {
    what: 'recorded call',
    id: ({ id }) => id,
    names: (one) => [one.request_id],
    about: (one) => `${cell(one.tool)} at ${cell(localTime(one.at))}`,
  });
  if (found) return found;
  throw new Failure(EXIT.notFound, 'not_found', `There is no recorded call "${word}".`, {
    hint: `npx --no-install hosted-mcp logs ${slug} --calls --content shows their ids.`,
  });
};

/** A replay repeats the operation that was recorded. @throws Failure if the tool is another one by now */
const checkOperation = async (
  api: Api,
  slug: string,
  { id, tool, version: then }: RecordedCall,
  now: number,
): Promise<void> => {
  if (then === now) return;
  const operationIn = async (version: number): Promise<string | undefined> => {
    const query = { version: String(version) };
    const tools = await api.list('GET /deployments/{slug}/tools', { path: { slug }, query });
    const found = tools.find(({ name }) => name === tool);
    return found && `${found.method.toUpperCase()} ${found.server_url}${found.path}`;
  };
  const [was, is] = await Promise.all([
    operationIn(then).catch((error: unknown) => {
      // A version that is no longer kept is not found.
      if (error instanceof Failure && error.code === 'not_found') return undefined;
      throw error;
    }),
    operationIn(now),
  ]);
  // The service itself refuses a missing tool.
  if (is === undefined || is === was) return;
  throw new Failure(
    EXIT.refused,
    'not_replayable',
    `The call cannot be repeated: ${cell(tool)} is ${plain(is)} by now, and was ${was === undefined ? `what version ${then} had, which is not kept any more` : plain(was)}.`,
    {
      hint: `If that is meant: npx --no-install hosted-mcp replay ${slug} ${quoted(id)} --version ${now}`,
    },
  );
};

const outcomeOf = ({ error, answer }: { readonly error?: unknown; readonly answer?: unknown }) =>
  isJson(error) ? cell(error.code) : `status ${cell(jsonOf(answer).status)}`;

const notReplayable = (why: string, slug: string, tool: string): Failure =>
  new Failure(EXIT.refused, 'not_replayable', `The call cannot be repeated: ${why}.`, {
    hint: `Give them with --arguments, or call it: npx --no-install hosted-mcp call ${slug} ${quoted(tool)}`,
  });

/** @throws Failure usage */
const argumentsIn = (text: string | undefined): object => {
  if (text === undefined) return {};
  const read = parsed(text);
  if (isJson(read)) return read;
  throw usageFailure('--arguments must be a JSON object.');
};

export const showRecordedCalls = async (
  { api, output }: Context,
  slug: string,
  query: Request<'GET /deployments/{slug}/recorded-calls'>['query'] & {},
  { limit, asLines }: { readonly limit: number; readonly asLines: boolean },
): Promise<void> => {
  const path = { slug };
  const items = await api.list('GET /deployments/{slug}/recorded-calls', { path, query }, limit);
  if (asLines) return output.part(items.map((one) => plain(JSON.stringify(one))));
  output.result({ items }, items.flatMap(recordedText));
  if (items.length === limit) output.note('There may be more: raise --limit.');
  if (items.length === 0) {
    const { on } = await api.call('GET /deployments/{slug}/recording', { path });
    output.note(
      on
        ? 'No call of that kind is recorded yet.'
        : `Nothing is recorded: npx --no-install hosted-mcp recording ${slug} --days 7 switches it on.`,
    );
  }
};

const recordedText = (one: RecordedCall): readonly string[] => {
  const { at, tool, outcome, status, email, subject, id } = one;
  const sent =
    one.arguments === undefined ? textOf(one.arguments_text) : JSON.stringify(one.arguments);
  const leftOut = one.answer_left_out_bytes;
  return [
    `${cell(localTime(at))}  ${cell(tool)}: ${cell(outcome)}${status === undefined ? '' : ` ${status}`}  ${cell(email ?? subject)}  ${cell(id)}`,
    ...(sent === undefined ? [] : [`  sent: ${plain(sent)}`]),
    ...(one.answer === undefined
      ? []
      : [
          `  got: ${plain(one.answer)}${leftOut === undefined ? '' : ` … (${leftOut} bytes more)`}`,
        ]),
    ...(one.error === undefined ? [] : [`  told: ${plain(one.error)}`]),
    '',
  ];
};

export const recordingCommands = [recording, replay];
