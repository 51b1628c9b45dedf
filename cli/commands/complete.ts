import { TOKEN_SCOPES } from '../../layers/accounts/rules/token-scopes.ts';
import { member } from '../../layers/platform/rules/json/json.ts';
import { configuredClients } from '../../layers/platform/rules/mcp-clients.ts';
import { CREDENTIAL_FORMS } from '../../layers/target/rules/credential-forms.ts';
import { accountsIn, type Named, serviceOf } from '../accounts.ts';
import { type Api, apiAt } from '../api/api.ts';
import { type Command, command } from '../command.ts';
import { secondWords } from './completion.ts';
import { jsonOf } from '../json.ts';
import { intentOf, optionsOf } from '../parse.ts';
import { settingsFile } from '../settings.ts';
import type { World } from '../world.ts';

/** Milliseconds that a shell waits for a name. */
const LIMIT_MS = 1000;

/** Shells expand completions, command substitutions included: other texts from a service are dropped. */
const NAME = /^[A-Za-z0-9][\w.@+-]*$/;

/** Called by completion scripts: silent about errors, and never slow. */
export const completeCommand = (all: () => readonly Command[]): Command =>
  command({
    name: 'complete',
    summary: 'Prints names that the last of these words may become, for shells',
    places: ['word*'],
    isLocal: true,
    isHidden: true,
    run: async ({ output, world }, { word: words }) => {
      const found = await namesFor(world, all(), words).catch(() => []);
      const begun = words.at(-1) ?? '';
      const names = [...new Set(found)].filter((one) => NAME.test(one) && one.startsWith(begun));
      output.result({ items: names }, names);
    },
  });

const namesFor = async (
  world: World,
  all: readonly Command[],
  words: readonly string[],
): Promise<readonly string[]> => {
  const before = words.slice(0, -1);
  const { command: found, words: typed, named } = intentOf(before, all);
  if (!found) return [];
  const more = typed.length === 1 ? secondWords(all, found.name) : [];
  return [...more, ...(await namesBehind(world, found, { before, typed, named }))];
};

/** Completions for the next place of a command, or for an option's value. */
const namesBehind = async (
  world: World,
  found: Command,
  {
    before,
    typed,
    named,
  }: {
    readonly before: readonly string[];
    readonly typed: readonly string[];
    readonly named: Named;
  },
): Promise<readonly string[]> => {
  const given = typed.slice(found.name.split(' ').length);
  const last = before.at(-1) ?? '';
  const option = last.startsWith('--') ? last.slice(2) : undefined;
  const facts = option === undefined ? undefined : member(optionsOf(found), option);
  const place =
    facts?.value === undefined
      ? found.places[Math.min(given.length, found.places.length - 1)]
      : undefined;
  if (facts?.value === undefined && given.length >= found.places.length) return [];
  const what = facts?.value === undefined ? (place ?? '').replace(/[?*]$/, '') : `--${option}`;
  const fixed = member(FIXED, `${found.name} ${what}`) ?? facts?.value?.split('|') ?? [];
  if (fixed.length > 1) return fixed;
  if (what === '--profile' || (found.name.startsWith('profile ') && what === 'name')) {
    return Object.keys((await settingsFile(world).read()).profiles ?? {});
  }
  const source = member(ASKED, `${found.name} ${what}`) ?? member(ASKED, what);
  const api = source && (await apiFor(world, named));
  return source && api ? source(api, { slug: given[0] ?? '' }) : [];
};

/** Values known without a service, by command and place or option. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  'completion shell': ['bash', 'zsh', 'fish'],
  'config --client': configuredClients().map(({ client }) => client),
  'credential set --type': Object.keys(CREDENTIAL_FORMS),
  'personal-token add --scope': TOKEN_SCOPES,
  'trust add --scope': TOKEN_SCOPES,
};

type Ask = (api: Api, path: { readonly slug: string }) => Promise<readonly string[]>;

const slugs: Ask = async (api) =>
  (await api.list('GET /deployments', {}, MOST)).map(({ slug }) => slug);
const tools: Ask = async (api, path) =>
  (await api.list('GET /deployments/{slug}/tools', { path }, MOST)).map(({ name }) => name);
const versions: Ask = async (api, path) =>
  (await api.list('GET /deployments/{slug}/versions', { path }, MOST)).map(({ version }) =>
    String(version),
  );
const credentials: Ask = async (api, path) =>
  Object.keys(
    jsonOf((await api.call('GET /deployments/{slug}/credentials', { path })).credentials),
  );

const MOST = 200;

/** Values that only the service knows, by place or option, or by command with it. */
const ASKED: Readonly<Record<string, Ask>> = {
  slug: slugs,
  'slug-or-url': slugs,
  '--server': slugs,
  '--slug': slugs,
  tool: tools,
  '--tool': tools,
  version: versions,
  'file-url-or-version': versions,
  '--version': versions,
  '--credential': credentials,
  'resource rm name': async (api, path) =>
    (await api.list('GET /deployments/{slug}/resources', { path }, MOST)).map(({ name }) => name),
  'prompt rm name': async (api, path) =>
    (await api.list('GET /deployments/{slug}/prompts', { path }, MOST)).map(({ name }) => name),
  'token rm name-or-id': async (api, path) =>
    (await api.list('GET /deployments/{slug}/tokens', { path }, MOST)).flatMap(
      ({ name, revoked }) => (revoked || name === undefined ? [] : [name]),
    ),
};

/** The service's API; undefined where HOSTED_MCP_TOKEN might be of another service. */
const apiFor = async (world: World, named: Named): Promise<Api | undefined> => {
  const file = settingsFile(world);
  const { baseUrl, profile, isNamed } = serviceOf(await file.read(), world, named);
  const { HOSTED_MCP_TOKEN: given } = world.environment;
  if (given && !isNamed) return undefined;
  const { session } = accountsIn(file, world, profile);
  const signal = AbortSignal.timeout(LIMIT_MS);
  const { fetch } = world;
  return apiAt(
    { fetch: (url, request) => fetch(url, { ...request, signal }) },
    baseUrl,
    async () => given || (await session(baseUrl)).token,
  );
};
