import { command } from '../command.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { type Json, jsonOf, listOf, stringOf, textOf } from '../json.ts';
import { plain, quoted } from '../text/plain.ts';
import { toolHint } from './names.ts';
import { showChange } from './operation-command.ts';

const HINT = { value: 'yes|no|default' } as const;

const HINTS = {
  'read-only': 'read_only_hint',
  destructive: 'destructive_hint',
  idempotent: 'idempotent_hint',
  'open-world': 'open_world_hint',
} as const;

const set = command({
  name: 'tool set',
  changesManaged: true,
  summary: 'Changes how one tool is called, described and marked; all else stays',
  places: ['slug', 'tool'],
  options: {
    name: { value: 'NAME', help: 'what models call it' },
    title: { value: 'TEXT', help: 'what people see' },
    description: { value: 'TEXT', help: 'what models read' },
    'answer-fields': {
      value: 'POINTER',
      multiple: true,
      help: 'what models are shown of its answers, as /items/*/id; several, or none: all of it',
    },
    'answer-headers': {
      value: 'NAME',
      multiple: true,
      help: 'headers of its answers that models are told, as x-total-*; none: none; default: those they need',
    },
    keywords: {
      value: 'WORDS',
      multiple: true,
      help: 'by which search mode finds it, comma between them; none: those of its description only',
    },
    'argument-checks': {
      value: 'HOW',
      help: 'strict or lenient, whatever holds for the server; default: as the server',
    },
    'always-load': {
      ...HINT,
      help: 'clients that defer tools until they search have it from the start; 3 at most',
    },
    hide: { help: 'clients neither see nor call it' },
    show: {
      help: 'it is there again; where it is hidden, TOOL may be its operation, as "GET /pets"',
    },
    'read-only': { ...HINT, help: 'it changes nothing' },
    destructive: { ...HINT, help: 'it may replace or remove what is there' },
    idempotent: { ...HINT, help: 'calling it twice has the effect of calling it once' },
    'open-world': { ...HINT, help: 'it reaches beyond what this server knows' },
  },
  details: [
    'An empty text, or default, takes away what was said before, and what the description says holds again.',
    'Arguments are hidden and fixed with npx --no-install hosted-mcp set SLUG --overrides FILE.',
  ],
  run: async ({ api, output }, { slug, tool }, chosen) => {
    const changes = changesFrom(chosen);
    const path = { slug };
    const { body, headers } = await api.present('GET /deployments/{slug}', { path });
    const tools = await api.list('GET /deployments/{slug}/tools', { path });
    const found = tools.find(({ name }) => name === tool);
    const overrides = jsonOf(body.overrides);
    const pair = found ? overrideOf(found, overrides) : hiddenOf(tool, overrides);
    if (!pair) throw noTool(slug, tool, tools, overrides);
    const [key, before] = pair;
    const json = { overrides: { [key]: changed(before, changes) } };
    const answer = await api.call('PATCH /deployments/{slug}', { path, json, headers });
    showChange(output, answer);
    if (chosen.hide)
      output.note(`npx --no-install hosted-mcp tool set ${slug} ${quoted(key)} --show undoes it.`);
  },
});

/** Hidden tools are in no list: they are found by operation, or by the name in their override. */
const hiddenOf = (tool: string, overrides: Json): readonly [string, Json] | undefined =>
  hiddenIn(overrides).find(([key, { name }]) => key === tool || name === tool);

const hiddenIn = (overrides: Json): readonly (readonly [key: string, override: Json])[] =>
  Object.entries(overrides)
    .map(([key, override]) => [key, jsonOf(override)] as const)
    .filter(([, { hidden }]) => hidden === true);

const noTool = (
  slug: string,
  tool: string,
  tools: readonly { readonly name: string }[],
  overrides: Json,
): Failure => {
  const hidden = hiddenIn(overrides).map(([key]) => plain(key));
  const others = hidden.length > 0 ? ` Hidden operations: ${hidden.join(', ')}.` : '';
  return new Failure(EXIT.notFound, 'not_found', `${slug} has no tool ${plain(tool)}.`, {
    hint: toolHint(slug, tool, tools) + others,
  });
};

const hideSecrets = command({
  name: 'tool hide-secrets',
  changesManaged: true,
  summary: 'Hides the tools whose answers hold tokens, keys or passwords',
  places: ['slug'],
  details: [
    'Which they are is a warning of each publication. They are hidden by overrides: `tool set SLUG OPERATION --show`',
    'shows one again.',
  ],
  run: async ({ api, output }, { slug }) => {
    const path = { slug };
    const { body, headers } = await api.present('GET /deployments/{slug}', { path });
    const tools = await api.list('GET /deployments/{slug}/tools', { path });
    const giving = tools.filter(givesSecrets);
    if (giving.length === 0) return output.result({ hidden: [] }, ['No tool gives out secrets.']);
    const hidden = giving.map((tool) => {
      const [key, before] = overrideOf(tool, jsonOf(body.overrides));
      return [key, { ...before, hidden: true }];
    });
    const json = { overrides: Object.fromEntries(hidden) };
    const answer = await api.call('PATCH /deployments/{slug}', { path, json, headers });
    showChange(output, answer);
  },
});

export const givesSecrets = ({ notes }: Json): boolean =>
  listOf(notes).some(({ what }) => what === 'gives out secrets');

export const toolOverrideCommands = [set, hideSecrets];

interface Changes {
  /** Members to change; null removes one. */
  readonly members: Readonly<Record<string, string | readonly string[] | boolean | null>>;
  readonly hints: Readonly<Record<string, boolean | null>>;
}

type Chosen = { readonly [Name in 'hide' | 'show']: boolean } & {
  readonly [Name in 'answer-fields' | 'answer-headers' | 'keywords']: readonly string[];
} & {
  readonly [
    Name in
      | 'always-load'
      | 'argument-checks'
      | 'description'
      | 'name'
      | 'title'
      | keyof typeof HINTS
  ]: string | undefined;
};

/** @throws Failure usage if nothing changes, or a hint is invalid */
const changesFrom = (chosen: Chosen): Changes => {
  const texts = (['name', 'title', 'description'] as const).flatMap((name) => {
    const text = chosen[name];
    return text === undefined ? [] : [[name, text.trim() === '' ? null : text] as const];
  });
  const fields = chosen['answer-fields'];
  const names = chosen['answer-headers'];
  const others = {
    ...(fields.length > 0 && { answer_fields: fieldsFrom(fields) }),
    ...(names.length > 0 && { answer_headers: headersFrom(names) }),
    ...(chosen.keywords.length > 0 && { keywords: keywordsFrom(chosen.keywords) }),
    ...checksFrom(chosen['argument-checks']),
    ...(chosen['always-load'] !== undefined && {
      always_load: hintFrom('always-load', chosen['always-load']),
    }),
    ...visibilityFrom(chosen),
  };
  const hints = Object.entries(HINTS).flatMap(([option, hint]) => {
    const text = chosen[option as keyof typeof HINTS];
    return text === undefined ? [] : [[hint, hintFrom(option, text)] as const];
  });
  if (texts.length + hints.length + Object.keys(others).length === 0)
    throw usageFailure('Nothing to change: pass at least one option.');
  return { members: { ...Object.fromEntries(texts), ...others }, hints: Object.fromEntries(hints) };
};

/** @returns null for the whole answer @throws Failure usage */
const fieldsFrom = (pointers: readonly string[]): readonly string[] | null => {
  if (pointers.length === 1 && ['', 'none'].includes(pointers[0] ?? '')) return null;
  const wrong = pointers.find((pointer) => !pointer.startsWith('/'));
  if (wrong === undefined) return pointers;
  throw usageFailure(`--answer-fields must be JSON pointers, as /items/*/id, not "${wrong}".`);
};

/** @returns null for the default headers */
const headersFrom = (names: readonly string[]): readonly string[] | null => {
  if (names.length > 1) return names;
  if (['', 'default'].includes(names[0] ?? '')) return null;
  return names[0] === 'none' ? [] : names;
};

/** @returns null for no keywords */
const keywordsFrom = (given: readonly string[]): readonly string[] | null => {
  const words = given.flatMap((text) => text.split(',')).map((word) => word.trim());
  const named = words.filter((word) => word !== '');
  return named.length === 0 || (named.length === 1 && named[0] === 'none') ? null : named;
};

const checksFrom = (how: string | undefined): Changes['members'] => {
  if (how === undefined) return {};
  if (how === 'strict' || how === 'lenient') return { argument_checks: how };
  if (how === 'default') return { argument_checks: null };
  throw usageFailure(`--argument-checks must be strict, lenient or default, not "${how}".`);
};

const visibilityFrom = ({ hide, show }: Chosen): Changes['members'] => {
  if (hide && show) throw usageFailure('--hide and --show contradict each other.');
  return hide ? { hidden: true } : show ? { hidden: null } : {};
};

const hintFrom = (option: string, text: string): boolean | null => {
  if (text === 'default') return null;
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw usageFailure(`--${option} must be yes, no or default, not "${text}".`);
};

/** A tool's override and its key: method and path take precedence over an operationId. */
export const overrideOf = (tool: Json, overrides: Json): readonly [key: string, override: Json] => {
  const byPath = `${stringOf(tool.method)} ${stringOf(tool.path)}`;
  const byId = textOf(tool.operation_id);
  const key = Object.hasOwn(overrides, byPath) ? byPath : (byId ?? byPath);
  return [key, Object.hasOwn(overrides, key) ? jsonOf(overrides[key]) : {}];
};

const changed = (override: Json, { members, hints }: Changes): Json | null => {
  const { annotations, ...others } = override;
  const left = withoutNull({ ...others, ...members });
  const marks = withoutNull({ ...jsonOf(annotations), ...hints });
  const whole = { ...left, ...(Object.keys(marks).length > 0 && { annotations: marks }) };
  return Object.keys(whole).length > 0 ? whole : null;
};

const withoutNull = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
