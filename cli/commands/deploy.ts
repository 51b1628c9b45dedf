import { isDeepStrictEqual } from 'node:util';
import type { Api, Deployment, RequestHeaders } from '../api/api.ts';
import { command, type Context } from '../command.ts';
import { EXIT, Failure, findingsOf, usageFailure } from '../failure.ts';
import { type Json, jsonOf, listOf, numberOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { CHOICE_OPTIONS, choicesFrom } from '../input/choices.ts';
import {
  allowedLines,
  confirmOpening,
  type Looked,
  lookedAt,
  namingAllowed,
  reportOf,
  YES,
} from '../input/opening.ts';
import { searchedIfTooLarge } from '../input/too-large.ts';
import { credentialNeedLines } from '../text/credential-needs.ts';
import { showChange } from './operation-command.ts';
import { accessText, deploymentLines } from './deployments.ts';
import { givesSecrets, overrideOf } from './tool-overrides.ts';
import {
  DESCRIPTION_OPTIONS,
  descriptionFrom,
  type GivenDescription,
} from '../input/description.ts';
import { descriptionWarnings } from '../text/description-warnings.ts';
import { differenceLines } from '../text/difference.ts';
import { cell } from '../text/table.ts';

const deploy = command({
  name: 'deploy',
  changesManaged: true,
  summary: 'Makes an MCP server of an OpenAPI description, or a new version of one',
  places: ['file-or-url'],
  options: {
    slug: { value: 'NAME', help: 'its URL name; otherwise made from the title' },
    ...DESCRIPTION_OPTIONS,
    ...CHOICE_OPTIONS,
    'hide-secret-tools': {
      help: 'hides tools whose answers hold tokens, keys or passwords, from the first version on',
    },
    ...YES,
  },
  details: [
    'With the --slug of a server of yours, the description becomes its next version. The difference is shown.',
    'What the other options say is changed, the rest stays. - reads standard',
    'input. A URL is read by the service, not by this machine.',
    'A description that refers to files below its folder is sent as one document, with these files in it.',
  ],
  run: async (context, places, { slug, yes, ...chosen }) => {
    const description = await descriptionFrom(context, places['file-or-url'], chosen);
    const choices = await choicesFrom(context.ask, chosen);
    const wanted = { slug, description, choices };
    const hidden = chosen['hide-secret-tools'] ? await withoutSecretTools(context, wanted) : {};
    await publish(context, { ...wanted, yes, ...hidden });
  },
});

const set = command({
  name: 'set',
  changesManaged: true,
  summary: 'Changes settings of a server; all others stay',
  places: ['slug'],
  options: { ...CHOICE_OPTIONS, ...YES },
  details: ['What concerns the tools makes a new version of them, and the difference is shown.'],
  run: async (context, { slug }, { yes, ...chosen }) => {
    const { api, ask, output } = context;
    const choices = await choicesFrom(ask, chosen);
    if (Object.keys(choices).length === 0)
      throw usageFailure('Nothing to change: pass at least one option.');
    const path = { slug };
    const { body: before, headers } = await api.present('GET /deployments/{slug}', { path });
    const looked = await confirmOpening(context, { before, wanted: choices, yes });
    const answer = await namingAllowed(choices, () =>
      api.call('PATCH /deployments/{slug}', { path, json: { ...choices, ...looked }, headers }),
    );
    const changed = settingLines(choices, before, answer);
    const allowed = choices.access === undefined ? [] : allowedLines(answer);
    showChange(output, answer, [...changed, ...allowed]);
  },
});

/** Longer values are not shown: `show` has them. */
const MOST_LETTERS = 60;

const settingLines = (choices: Json, before: Json, after: Json): readonly string[] => {
  const lines = Object.keys(choices).flatMap((name) => {
    if (isDeepStrictEqual(before[name], after[name])) return [];
    const [was, is] = [settingText(name, before), settingText(name, after)];
    const label = name.replaceAll('_', ' ');
    const isLong = [was, is].some((text) => text.length > MOST_LETTERS);
    return [isLong || was === is ? `${label}: changed` : `${label}: ${is} (before: ${was})`];
  });
  const isSame = lines.length === 0 && before.version === after.version;
  return isSame ? ['The settings were so before.'] : lines;
};

const settingText = (name: string, deployment: Json): string => {
  const value = deployment[name];
  const text = cell(name === 'access' ? accessText(jsonOf(value)) : value);
  return text === '-' ? 'none' : text;
};

/** Adds overrides that hide the tools which give out secrets, according to the service's report. */
const withoutSecretTools = async (
  { api, output }: Context,
  { slug, description, choices }: Wanted & { readonly slug: string | undefined },
): Promise<Pick<Wanted, 'choices' | 'looked'>> => {
  const there = slug === undefined ? undefined : await present(api, slug);
  const place = there ? { deployment: slug } : {};
  const report = await searchedIfTooLarge(output, choices, (chosen) =>
    reportOf(api, { ...chosen, ...description.json, ...place }),
  );
  const left = numberOf(report.tools_left_out) ?? 0;
  if (left > 0) {
    const more = `${left} tools are too many to be looked at before: npx --no-install hosted-mcp tool hide-secrets looks at all.`;
    output.note(more);
  }
  const said = jsonOf(choices.overrides);
  const known = { ...jsonOf(there?.body.overrides), ...said };
  const hidden = listOf(report.tools)
    .filter(givesSecrets)
    .map((tool) => {
      const [key, before] = overrideOf(tool, known);
      return [key, { ...before, hidden: true }] as const;
    });
  const looked = lookedAt(report);
  if (hidden.length === 0) return { choices, looked };
  output.note(`Hidden, for their answers hold secrets: ${hidden.map(([key]) => key).join(', ')}`);
  return { choices: { ...choices, overrides: { ...said, ...Object.fromEntries(hidden) } }, looked };
};

export const deployCommands = [deploy, set];

/** A server with headers to change it; undefined if there is none of this name. */
export const present = async (
  api: Api,
  slug: string,
): Promise<{ readonly body: Deployment; readonly headers: RequestHeaders } | undefined> => {
  try {
    return await api.present('GET /deployments/{slug}', { path: { slug } });
  } catch (error) {
    if (error instanceof Failure && error.exitCode === EXIT.notFound) return undefined;
    throw error;
  }
};

/** @param wanted.yes - consents beforehand to what it opens to strangers @returns the deployment @throws Failure */
export const publish = async (
  context: Context,
  wanted: Wanted & { readonly slug: string | undefined; readonly yes: boolean },
): Promise<Json> => {
  const { slug, yes, description, choices } = wanted;
  const there = slug === undefined ? undefined : await present(context.api, slug);
  const sent = { ...choices, ...description.json };
  const confirmed = await confirmOpening(context, { before: there?.body, wanted: sent, yes });
  // Digests of the first fetch win, so that the service refuses a URL whose content has changed since.
  const looked = { ...confirmed, ...wanted.looked };
  return slug !== undefined && there
    ? update(context, slug, there.headers, { description, choices, looked })
    : create(context, { description, choices: { slug, ...choices }, looked });
};

interface Wanted {
  readonly description: GivenDescription;
  readonly choices: Json;
  /** Digests of fetched URLs; absent where none was fetched before. */
  readonly looked?: Looked;
}

const create = async (
  { api, output }: Context,
  { description, choices, looked }: Wanted,
): Promise<Json> => {
  output.note('Publishing ...');
  const deployment = await searchedIfTooLarge(output, choices, (chosen) =>
    namingAllowed(choices, () =>
      api.make('POST /deployments', { packed: { ...chosen, ...description.json, ...looked } }),
    ),
  );
  output.result(withFindings(deployment, description), deploymentLines(deployment));
  output.warnings(descriptionWarnings(findingsOf(deployment.warnings), description.findings));
  const slug = plainOf(deployment.slug);
  const needs = await neededCredential(api, slug);
  const next = [`npx --no-install hosted-mcp config ${slug} --client claude-code`];
  if (needs.length === 0)
    next.unshift(`npx --no-install hosted-mcp credential set ${slug}, if its API wants one`);
  output.note(
    [...needs, ...next.map((one, at) => `${at === 0 ? 'Next:' : '     '} ${one}`)].join('\n'),
  );
  return deployment;
};

/** Lines for a credential that is missing; none on errors, since the server is made in any case. */
const neededCredential = async (api: Api, slug: string): Promise<readonly string[]> => {
  try {
    const path = { slug };
    const answer = await api.call('GET /deployments/{slug}/credential/origins', { path });
    return credentialNeedLines(slug, answer);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
};

const update = async (
  { api, output }: Context,
  slug: string,
  headers: RequestHeaders,
  { description, choices, looked }: Wanted,
): Promise<Json> => {
  output.note(`Publishing a new version of ${plain(slug)} ...`);
  const path = { slug };
  const packed = { ...choices, ...description.json, ...looked };
  const answer = await namingAllowed(choices, () =>
    Object.keys(choices).length === 0
      ? api.call('PUT /deployments/{slug}/openapi', { path, headers, packed })
      : api.call('PATCH /deployments/{slug}', { path, headers, packed }),
  );
  output.result(withFindings(answer, description), differenceLines(answer));
  output.warnings(descriptionWarnings(findingsOf(answer.warnings), description.findings));
  return answer;
};

const withFindings = (answer: Json, { bundled, findings }: GivenDescription): Json => ({
  ...answer,
  ...(bundled.length > 0 && { bundled }),
  ...(findings.length > 0 && { openapi_findings: findings }),
});
