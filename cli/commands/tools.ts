import { tryTool } from '../api/trial.ts';
import { command } from '../command.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { isJson, type Json, jsonOf, listOf, stringOf, textsOf } from '../json.ts';
import { plain, plainLines } from '../text/plain.ts';
import { cell } from '../text/table.ts';
import { ARGUMENT_OPTIONS, argumentsFrom } from '../input/arguments.ts';
import { typedArguments } from '../input/typed-arguments.ts';
import { specificationFindings } from '../input/description.ts';
import { reportLines, reportTotals } from '../text/tool-report.ts';

const list = command({
  name: 'tools',
  summary: 'Lists the tools of a server',
  places: ['slug'],
  options: {
    report: {
      help: 'what each takes of a context, which model APIs take it, what was changed and why',
    },
    description: {
      value: 'FILE',
      help: 'with --report: also where this description violates the OpenAPI specification',
    },
  },
  details: ['Tokens are an estimate: models count differently.'],
  run: async (context, { slug }, { report, description }) => {
    const { api, output } = context;
    if (description !== undefined && !report) throw usageFailure('--description wants --report.');
    const findings =
      description === undefined ? [] : await specificationFindings(context, description);
    const items = await api.list('GET /deployments/{slug}/tools', { path: { slug } });
    if (report && items.length > 0) {
      const report = { items, total: reportTotals(items) };
      output.result(
        findings.length > 0 ? { ...report, openapi_findings: findings } : report,
        reportLines(items, output.paint, findings),
      );
      return;
    }
    const columns = { tool: 'name', method: 'method', path: 'path', tokens: 'tokens' } as const;
    output.rows(items, columns, `${slug} has no tool.`);
  },
});

const call = command({
  name: 'call',
  summary: 'Calls a tool, as a client would, and shows what went out',
  places: ['slug', 'tool', 'name=value*'],
  options: ARGUMENT_OPTIONS,
  details: [
    'An argument is NAME=VALUE, by the type that the tool gives it, or NAME:=JSON: query=dune limit=3 tags:=\'["new"]\'',
    'A list may be given one by one: tags=new tags=used. Those of --arg are always text.',
    'A file is NAME=@PATH, where the tool takes one: file=@photo.png; file=@- reads standard input.',
    'An argument that is no file is sent as it is, with its @. So is any in JSON: NAME:=\'"@text"\'.',
    'A call of this command takes 1 MB, of which a file may be 750 KB; one of an MCP client, 4 MB.',
    'Standard output is the answer of the target API. A status of 400 or more ends with code 1.',
  ],
  run: async ({ api, ask, output }, { slug, tool, 'name=value': typed }, values) => {
    const given = {
      ...(await argumentsFrom(ask, values)),
      ...(await typedArguments({ api, ask }, { slug, tool }, typed)),
    };
    const { headers: seen } = await api.present('GET /deployments/{slug}', { path: { slug } });
    const answer = await tryTool(api, { slug, tool, seen }, { arguments: given }).catch(tooLarge);
    const { request, result, error, answer_fields: fields } = answer;
    if (isJson(request)) output.note(`${cell(request.method)} ${cell(request.url)}`);
    output.result(answer, listOf(jsonOf(result).content).map(contentText));
    if (isJson(fields)) output.note(chosenText(fields));
    // A call with an error was not sent, or got no answer.
    if (isJson(error)) {
      output.note(cell(error.message));
      if (stringOf(error.message).includes('base64')) output.note(FILE_HINT);
    }
    return isJson(error) || jsonOf(result).isError === true ? EXIT.refused : EXIT.ok;
  },
});

const FILE_HINT = 'A file is given as NAME=@PATH, and file=@- reads standard input.';

/** The gateway refuses large bodies with a less helpful message. */
const tooLarge = (error: unknown): never => {
  if (!(error instanceof Failure) || error.details.status !== 413) throw error;
  throw new Failure(EXIT.refused, 'payload_too_large', 'The arguments are larger than 1 MB.', {
    status: 413,
    hint: 'Files count as base64, so that 750 KB of them are the most here. An MCP client may send 4 MB.',
  });
};

const chosenText = ({ chosen, whole, missing }: Json): string => {
  const sizeOf = (part: unknown): string =>
    `${cell(jsonOf(part).bytes)} bytes, about ${cell(jsonOf(part).tokens)} tokens`;
  const lacks = textsOf(missing);
  const nothing = lacks.length === 0 ? '' : ` It has nothing for ${lacks.map(plain).join(', ')}.`;
  return `The chosen members take ${sizeOf(chosen)}; the whole answer ${sizeOf(whole)}.${nothing}`;
};

const contentText = (item: Json): string => {
  const { type, text, mimeType, data, resource } = item;
  if (typeof text === 'string') return plainLines(text);
  const { blob, mimeType: kind, text: embedded } = jsonOf(resource);
  if (typeof embedded === 'string') return plainLines(embedded);
  const encoded = stringOf(data ?? blob);
  const bytes = Buffer.byteLength(encoded, 'base64');
  return plain(
    `[${stringOf(type)} ${stringOf(mimeType ?? kind)}, ${bytes} bytes: --json prints them]`,
  );
};

export const toolCommands = [list, call];
