import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Api, pathOf } from '../api/api.ts';
import { type Ask, utf8 } from '../ask.ts';
import { type Command, command, type Context } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { type Json, jsonOf, listOf, numberOf, textOf, textsOf } from '../json.ts';
import { plain } from '../text/plain.ts';
import { count, sentence } from '../text/words.ts';
import { deploymentLines } from './deployments.ts';
import { bytesOf } from './files.ts';
import { findingsIn } from './findings.ts';

const deploy = command({
  name: 'deploy',
  summary: 'Makes an MCP server of an OpenAPI description, or a new version of one',
  places: ['file-or-url'],
  options: {
    slug: { value: 'NAME', help: 'its name in its address; otherwise made from the title' },
    name: { value: 'TEXT', help: 'what people see; otherwise the title' },
    auth: { value: 'MODE', help: 'who may use it: oauth (if omitted), jwt or none' },
    'api-base': { value: 'URL', help: 'where the API is, if not where the description says' },
    include: {
      value: 'OPERATION',
      multiple: true,
      help: 'only these: an operationId, "GET /path" or tag:NAME',
    },
    exclude: { value: 'OPERATION', multiple: true, help: 'not these' },
  },
  details: [
    'With the --slug of a deployment of yours, the description becomes its next version, swapped in whole,',
    'and the difference is shown; what the other options say is changed, the rest stays. - reads standard',
    'input. A URL is read by the service, not by this machine.',
  ],
  run: async (context, places, { slug, name, auth, include, exclude, ...values }) => {
    const { api, ask } = context;
    const description = await descriptionFrom(ask, places['file-or-url']);
    const operations = include.length + exclude.length > 0 ? { include, exclude } : undefined;
    const wanted = { name, mcp_auth_method: auth, api_base_url: values['api-base'], operations };
    const exists = slug !== undefined && (await isThere(api, slug));
    await (exists
      ? update(context, slug, description, wanted)
      : create(context, description, { slug, ...wanted }));
  },
});

export const deployCommands: readonly Command[] = [deploy];

/** Where the service reads it, or its text. */
type Description = { readonly openapi_url: string } | { readonly openapi: string };

const descriptionFrom = async (ask: Ask, source: string): Promise<Description> => {
  if (/^https?:\/\//i.test(source)) return { openapi_url: source };
  const openapi =
    source === '-' ? await ask.input() : utf8(await bytesOf(source), `The file ${source}`);
  return { openapi };
};

const isThere = async (api: Api, slug: string): Promise<boolean> => {
  try {
    await api.call('GET', pathOf('deployments', slug));
    return true;
  } catch (error) {
    if (error instanceof Failure && error.exitCode === EXIT.notFound) return false;
    throw error;
  }
};

const create = async (
  { api, output }: Context,
  description: Description,
  wanted: Json,
): Promise<void> => {
  output.note('Publishing ...');
  const deployment = await api.call('POST', '/deployments', {
    packed: await packed({ ...wanted, ...description }),
  });
  output.result(deployment, deploymentLines(deployment));
  output.warnings(findingsIn(deployment));
  output.note(
    `Next: hosted-mcp config ${plain(textOf(deployment['slug']) ?? '')} --client claude-code`,
  );
};

const update = async (
  { api, output }: Context,
  slug: string,
  description: Description,
  wanted: Json,
): Promise<void> => {
  const path = pathOf('deployments', slug);
  output.note(`Publishing a new version of ${slug} ...`);
  const changes = Object.entries(wanted).filter(([, value]) => value !== undefined);
  if (changes.length > 0) await api.call('PATCH', path, { json: Object.fromEntries(changes) });
  const answer = await api.call('PUT', `${path}/openapi`, { packed: await packed(description) });
  output.result(answer, differenceLines(slug, answer));
  output.warnings(findingsIn(answer));
};

const gzipped = promisify(gzip);

/** As JSON, packed: so that the largest description passes every gateway. */
const packed = async (body: Json): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await gzipped(JSON.stringify(body)));

/** Which tools are new, gone, or other than before. */
const differenceLines = (slug: string, answer: Json): readonly string[] => {
  const difference = jsonOf(answer['tools']);
  const added = namesIn(difference['added']).map((name) => `  + ${name}`);
  const removed = namesIn(difference['removed']).map((name) => `  - ${name}`);
  const changed = listOf(difference['changed']).map(changeLine);
  const lines = [...added, ...removed, ...changed];
  const version = numberOf(answer['version']) ?? 0;
  return [
    `${slug} is at version ${version}: ${count(added.length, 'tool')} added, ${removed.length} removed, ${changed.length} changed`,
    ...lines,
  ];
};

const namesIn = (tools: unknown): readonly string[] =>
  [...textsOf(tools), ...listOf(tools).map((tool) => textOf(tool['name']) ?? '')].map(plain);

const changeLine = ({ name, breaking, changes }: Json): string =>
  plain(
    `  ~ ${textOf(name) ?? ''}${breaking === true ? ' (breaks callers)' : ''}${textsOf(changes)
      .map((one) => ` ${sentence(one)}`)
      .join('')}`,
  );
