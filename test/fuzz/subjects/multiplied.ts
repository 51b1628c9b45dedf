import { SERVICES } from '../../../layers/accounts/rules/permission.ts';
import { asItIs } from '../../../layers/servers/rules/fetch-terms.ts';
import * as z from 'zod';
import { Prompt, Resource } from '../../../layers/contents/rules/contents.ts';
import { sentOf } from '../../../layers/platform/rules/shape.ts';
import { reportBody } from '../../../layers/servers/routes/description-report.ts';
import { fields, publicationChangesOf } from '../../../layers/servers/routes/sent-deployment.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { checkValues } from '../../../layers/contents/rules/check-values.ts';
import { completion } from '../../../layers/mcp/rules/completion.ts';
import {
  refusedCalls,
  refusedOperations,
} from '../../../layers/credentials/rules/credential-origins.ts';
import { summarizeWarnings } from '../../../layers/servers/rules/summarize-warnings.ts';
import { toolsDiff } from '../../../layers/servers/rules/differences/tools-diff.ts';
import { changedPublication } from '../../../layers/deployments/rules/publication.ts';
import { checkPrompt } from '../../../layers/contents/prompts/check-prompt.ts';
import { renderPrompt } from '../../../layers/contents/prompts/prompt.ts';
import { ApiRefusal } from '../../../layers/platform/rules/refusal/api-refusal.ts';
import { RpcRefusal } from '../../../layers/platform/rules/refusal/rpc-refusal.ts';
import { checkResource } from '../../../layers/contents/resources/check-resource.ts';
import { matchTemplate } from '../../../layers/contents/resources/match-template.ts';
import { brokenLimits } from '../../../layers/openapi/model-apis/client-limits.ts';
import { listedTool } from '../../../layers/openapi/tool-index.ts';
import { openSearch } from '../../../layers/search/search.ts';
import { API } from '../../../layers/platform/http/failures/statuses.ts';
import {
  chosenOperations,
  compileOperations,
  readSource,
} from '../../../layers/servers/steps/descriptions/compile-description.ts';
import { withNotes } from '../../../layers/servers/rules/tool-report.ts';
import { collectWarnings } from '../../../layers/openapi/intake/findings.ts';
import { applyOverlays } from '../../../layers/openapi/overlay/apply-overlays.ts';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import type { Random } from '../../support/random.ts';
import type { Subject } from '../subject.ts';

/**
 * Descriptions of which much is alike, and lists of their owner that each meet all of it: selections,
 * overrides, fixed values, server variables; and templates with their arguments and values. Whatever is
 * multiplied, the work stays that of a description, or the refusal says what to change.
 */
export const multipliedSubject = (): Subject => ({
  input: (random) => Buffer.from(JSON.stringify(random.pick(KINDS)(random))),
  run: async (bytes) => {
    const input = JSON.parse(Buffer.from(bytes).toString()) as Input;
    try {
      if (input.kind === 'contents') return runContents(input);
      return await (input.kind === 'overlays' ? runOverlays(input) : runSettings(input));
    } catch (error) {
      if (error instanceof z.ZodError) return 'not read';
      if (error instanceof RpcRefusal) return error.code;
      if (!(error instanceof ApiRefusal)) throw error;
      return refused(error);
    }
  },
});

type Input = SettingsInput | ContentsInput | OverlaysInput;

interface SettingsInput {
  readonly kind: 'settings';
  readonly before: object;
  readonly openapi: object;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly searched: string;
}

interface ContentsInput {
  readonly kind: 'contents';
  readonly prompt: Readonly<Record<string, unknown>>;
  readonly given: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly uri: string;
}

interface OverlaysInput {
  readonly kind: 'overlays';
  readonly document: Json;
  readonly actions: readonly Readonly<Record<string, Json>>[];
}

const many = <Item>(count: number, item: (at: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, at) => item(at));
const named = <Value>(count: number, entry: (at: number) => readonly [string, Value]) =>
  Object.fromEntries(many(count, entry));
/** Mostly a few, sometimes as many as there may be. */
const count = (random: Random, most: number): number =>
  random.oneIn(6) ? most : random.below(Math.ceil(Math.sqrt(most)) + 1);
const text = (random: Random, most: number): string =>
  random
    .pick(['a', 'a.', 'ab', '/a', 'a[', 'é', '*a', '{v}'])
    .repeat(count(random, most))
    .slice(0, most);

const someSettings = (random: Random): SettingsInput => {
  const shape = shapeOf(random);
  return {
    kind: 'settings',
    before: describedAs(shape, 'string'),
    openapi: describedAs(shape, 'integer'),
    settings: settingsFor(shape, random),
    searched: text(random, 2000),
  };
};

/** How a description is, and how large: its product stays small enough to be read in no time. */
interface Shape {
  readonly operations: number;
  readonly path: string;
  readonly operationId: 'none' | 'same' | 'own';
  readonly tags: number;
  readonly parameters: number;
  readonly properties: number;
  readonly name: string;
  readonly components: number;
  readonly perOperation: boolean;
  readonly variables: number;
}

const shapeOf = (random: Random): Shape => {
  const operations = 1 + count(random, 400);
  return {
    operations,
    path: text(random, 60_000 / operations),
    operationId: random.pick(['none', 'same', 'own']),
    tags: count(random, 20),
    parameters: count(random, 2000 / operations),
    properties: count(random, 8000 / operations),
    name: text(random, 300),
    components: count(random, 30),
    perOperation: random.oneIn(2),
    variables: random.oneIn(3) ? count(random, 100_000 / operations) : random.below(3),
  };
};

const describedAs = (shape: Shape, type: string): object => {
  const { operations, path, tags, parameters, name, components } = shape;
  const servers = [{ url: `https://a.example.com/${'{v}'.repeat(shape.variables)}` }];
  return {
    openapi: '3.1.0',
    info: { title: 'Multiplied', version: '1' },
    servers,
    paths: named(operations, (at) => [
      `/${path.replaceAll(/[{}]/g, '')}${at}`,
      {
        ...(shape.perOperation && { servers: [...servers] }),
        post: {
          ...(shape.operationId !== 'none' && {
            operationId: shape.operationId === 'same' ? 'same' : `own${at}`,
          }),
          tags: many(tags, (tag) => `t${tag}`),
          parameters: many(parameters, (one) => ({
            name: `${name}${one}`,
            in: 'query',
            schema: { type },
          })),
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } },
          },
        },
      },
    ]),
    components: {
      schemas: named(Math.max(1, components), (at) => [
        `S${at}`,
        {
          type: 'object',
          properties: {
            ...named(at === 0 ? shape.properties : 2, (one) => [`${name}${one}`, { type }]),
            ...named(Math.min(components, 4), (to) => [
              `r${to}`,
              { $ref: `#/components/schemas/S${(at * 2 + to) % Math.max(1, components)}` },
            ]),
          },
        },
      ]),
    },
  };
};

const settingsFor = (shape: Shape, random: Random): Readonly<Record<string, unknown>> => {
  const entry = (kind: number, at: number): string =>
    [
      `POST /${'*'.repeat(at % 900)}`,
      `* /${shape.path.slice(0, 3)}*${'*a'.repeat(at % 400)}*`,
      `POST /${shape.path}${at % shape.operations}`,
      `tag:t${at % Math.max(1, shape.tags)}`,
      random.pick([`own${at}`, `* *${text(random, 900)}`, 'POST *']),
    ][kind] ?? '';
  const list = () => {
    const kind = random.below(5);
    return many(count(random, 1000), (at) => entry(kind, at).slice(0, 1000));
  };
  const keyOf = (at: number): string =>
    random.pick(['same', `own${at}`, `POST /${shape.path}${at}`.slice(0, 1000), text(random, 100)]);
  const override = (): object => ({
    ...(random.oneIn(3) && { name: `n${random.below(3)}` }),
    ...(random.oneIn(3) && { description: text(random, 1000) || 'x' }),
    ...(random.oneIn(4) && { hidden: random.oneIn(3) }),
    arguments: named(count(random, random.oneIn(4) ? 2000 : 20), (at) => [
      `${shape.name.slice(0, 50)}${at}`,
      random.oneIn(2) ? { hidden: true } : { value: random.pick([1, 'a', [1], { a: 1 }]) },
    ]),
  });
  return {
    ...(random.oneIn(2) && {
      operations: { include: list(), exclude: random.oneIn(4) ? list() : [] },
    }),
    ...(random.oneIn(2) && {
      overrides: named(1 + count(random, 100), (at) => [keyOf(at) || 'x', override()]),
    }),
    ...(random.oneIn(2) && {
      server_variables: named(1 + count(random, 100), (at) => [
        at === 0 ? 'v' : `v${at}`,
        text(random, 2000),
      ]),
    }),
    tool_mode: random.pick(['search', 'operations']),
    ...(random.oneIn(2) && { tool_token_budget: random.pick([null, 100, 100_000]) }),
    structured_output: random.pick(['on', 'off']),
  };
};

const Settings = z.strictObject(fields);
const unasked = () => Promise.reject(new Error('nothing is fetched'));
const PORTS = {
  settings: { baseUrl: '', limits: DEFAULT_LIMITS },
  descriptionFetches: { fetch: unasked },
  web: { fetch: unasked, fetchWith: unasked, fetchExactly: unasked },
};

/** Everything that a look before publication does, beside the version before. */
const runSettings = async ({ before, openapi, settings, searched }: SettingsInput) => {
  const sent = Settings.parse(settings);
  // Overlays have inputs of their own.
  const changes = { ...publicationChangesOf(sent), overlays: undefined };
  const publication = changedPublication({}, changes);
  const made = async (description: object) => {
    const read = await readSource(
      PORTS,
      asItIs(SERVICES),
      { sent: JSON.stringify(description) },
      publication,
    );
    const chosen = chosenOperations(PORTS.settings, read, 'pro', undefined);
    return { read, compiled: compileOperations(PORTS.settings, read, chosen) };
  };
  const [was, is] = [await made(before), await made(openapi)];
  const { index, report, searchIndex, warnings } = is.compiled;
  const refusals = refusedOperations(index, [{ origins: ['https://b.example.com'] }]);
  if (searchIndex) openSearch(searchIndex)({ text: searched });
  const body = reportBody({
    title: is.compiled.title,
    toolMode: 'operations',
    problems: [],
    warnings: [...warnings, ...summarizeWarnings(refusals)],
    refusedCalls: refusedCalls(index, [{ origins: ['https://b.example.com'] }]),
    brokenLimits: brokenLimits(index.tools.map(listedTool), ''),
    credentialNeeds: is.compiled.credentialNeeds,
    overlays: is.read.description.overlays,
    exposures: [],
    fetched: [],
    operations: is.read.description.operations.map((operation) => ({ operation, chosen: true })),
    tools: withNotes(index, report),
    difference: toolsDiff(was.compiled.index, index),
  });
  JSON.stringify(body);
  return 'compiled';
};

const someContents = (random: Random): ContentsInput => {
  const names = many(count(random, 50), (at) => `a${at}`);
  const values = () => many(count(random, 1000), (at) => `${text(random, 20)}${at}`);
  const nameOf = () => random.pick([...names, 'a0']);
  const tag = () =>
    random.pick([
      `{{${nameOf()}${' | json'.repeat(random.below(20))}}}`,
      `{{#if ${nameOf()}}}${text(random, 20)}{{else}}{{${nameOf()}}}{{/if}}`,
      `{{#if ${nameOf()} eq 'a'}}b{{else if ${nameOf()}}}c{{/if}}`,
    ]);
  return {
    kind: 'contents',
    prompt: {
      name: 'p',
      arguments: names.map((name) => ({ name, ...(random.oneIn(2) && { values: values() }) })),
      template: many(1 + count(random, 3000), tag).join(''),
    },
    given: named(names.length, (at) => [`a${at}`, text(random, 100_000)]),
    resource: {
      name: 'r',
      uri: `docs://a/${many(count(random, 200), (at) => random.pick([`{v${at}}`, `a{+v${at}}`, `{/v${at}}`, `{?v${at}}`])).join('a')}`,
      variables: names.map((_, at) => ({ name: `v${at}`, values: values() })),
      content: 'x',
    },
    uri: `docs://a/${text(random, 8000)}`,
  };
};

const runContents = ({ prompt, given, resource, uri }: ContentsInput): string => {
  const kept = sentOf(Resource).parse(resource);
  matchTemplate(kept.uri, uri);
  const asked = sentOf(Prompt).parse(prompt);
  for (const { values = [] } of asked.arguments) completion(values, uri);
  checkValues(
    asked.arguments.map(({ values = [] }, at) => ({ at: ['arguments', at, 'values'], values })),
    DEFAULT_LIMITS,
  );
  checkPrompt(asked, DEFAULT_LIMITS.prompt_template_max_bytes);
  renderPrompt(asked, given);
  checkResource(kept, DEFAULT_LIMITS.resource_max_bytes);
  return 'rendered';
};

/** One large value, which an overlay looks at again and again. */
const someOverlays = (random: Random): OverlaysInput => {
  const size = 10 ** random.below(6);
  const value = (): Json =>
    random.pick<() => Json>([
      () => many(size, (at) => at),
      () => many(size, () => ({})),
      () => named(size, (at) => [`name ${at}`, at]),
      () => 'x'.repeat(size * 10),
    ])();
  const [a, same] = [value(), random.oneIn(2)];
  const levels = count(random, 200);
  const document = many(levels, () => 0).reduce<Json>((inner) => ({ a: inner }), {
    a,
    b: same ? a : value(),
  });
  const term = (): string =>
    random.pick([
      '@.a==@.b',
      '@.a<@.b',
      'length(@.a)>1',
      '@.a',
      '!@.a',
      '1==2',
      'count(@..*)>1',
      '@[?@.a==@.b]',
    ]);
  const filter = (): string =>
    `[?${many(1 + count(random, 100), term).join(random.pick(['&&', '||']))}]`;
  const part = (): string =>
    random.pick(['.a', '.*', '..*', '..a', '[0,0,0]', "['a','b','a']", '[0:9]', filter()]);
  const path = () =>
    `$${random.oneIn(2) ? '.a'.repeat(levels) : ''}${many(1 + random.below(3), part).join('')}`;
  return {
    kind: 'overlays',
    document,
    actions: many(1 + count(random, 600), () => ({
      target: path().slice(0, 1000),
      ...random.pick<Record<string, Json>>([
        { remove: true },
        { update: 1 },
        { update: {} },
        { copy: '$' },
      ]),
    })),
  };
};

const runOverlays = ({ document, actions }: OverlaysInput): string => {
  const overlay = JSON.stringify({ overlay: '1.0.0', info: { title: 'x', version: '1' }, actions });
  const limits = { maxBytes: 65_536, maxAdded: DEFAULT_LIMITS.openapi_max_bytes };
  applyOverlays(document, [overlay], limits, collectWarnings());
  return 'applied';
};

const KINDS: readonly ((random: Random) => Input)[] = [
  someSettings,
  someSettings,
  someSettings,
  someOverlays,
  someContents,
];

const refused = ({ code, description, findings }: ApiRefusal): string => {
  if (![413, 422].includes(API[code])) throw new Error(`settings are refused with ${code}`);
  if (findings.length > 20) throw new Error('a refusal has more than 20 findings');
  if (description.length > 2000) throw new Error('a refusal is too long');
  return `${code}: ${description.replaceAll(/\d+/g, 'N').slice(0, 60)}`;
};
