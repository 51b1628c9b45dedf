import { member } from '../../layers/platform/rules/json/json.ts';
import type { Api } from '../api/api.ts';
import { patiently } from '../api/patiently.ts';
import type { AnswerOf } from '../../console/src/api/operation.ts';
import { EXIT, Failure, type Finding } from '../failure.ts';
import { isJson, type Json, jsonOf, listOf } from '../json.ts';
import type { DeclaredServer } from './declared-server.ts';
import { type ServersFile, unknownMember } from './servers-file.ts';

export type Plan = AnswerOf<'POST /deployments/{slug}/declaration/plan'>;

export interface PlannedServer {
  readonly server: DeclaredServer;
  readonly plan: Plan;
  /** Revision that the plan is based on; undefined for a new server. */
  readonly base: string | undefined;
}

/** Number of requests at once: the service compiles no more descriptions of one person. */
const AT_ONCE = 2;

/** Acts on all items, `AT_ONCE` at a time. @returns results in order */
export const forEach = async <Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
};

/** The service's plan for a server. Texts are sent only if their digests do not suffice. @throws Failure */
export const planOf = async (api: Api, server: DeclaredServer): Promise<PlannedServer> => {
  const { slug } = server;
  const asked = (declaration: Json) =>
    patiently(() =>
      api.present('POST /deployments/{slug}/declaration/plan', {
        path: { slug },
        packed: { declaration },
      }),
    );
  const first = await asked(server.digests);
  const wants = first.body.needs.some((need) => !need.startsWith('credentials.'));
  const { body, headers } = wants ? await asked(server.texts) : first;
  return { server, plan: body, base: headers['if-match'] };
};

const secretsFor = ({ server, plan }: PlannedServer, all: boolean): readonly string[] =>
  server.given.filter((name) => all || plan.needs.includes(`credentials.${name}`));

/** @param terms.secrets - whether to send secrets again that are set already @throws Failure */
export const applyOf = async (
  api: Api,
  planned: PlannedServer,
  terms: { readonly by: string; readonly adopts: boolean; readonly secrets: boolean },
): Promise<AnswerOf<'PUT /deployments/{slug}/declaration'>> => {
  const { server, base } = planned;
  const names = secretsFor(planned, terms.secrets);
  const credentials = names.length > 0 ? { credentials: await server.withSecrets(names) } : {};
  return patiently(() =>
    api.call('PUT /deployments/{slug}/declaration', {
      path: { slug: server.slug },
      packed: {
        declaration: { ...server.texts, ...credentials },
        managed_by: terms.by,
        adopt: terms.adopts,
        fetched: planned.plan.fetched,
      },
      headers: base === undefined ? {} : { 'if-match': base },
    }),
  );
};

/** Whether apply can do something: differences that only somebody else can settle do not count. */
export const hasWork = (planned: PlannedServer, by: string): boolean =>
  planned.plan.action === 'add' ||
  planned.plan.managed_by !== by ||
  planned.plan.differences.some(
    ({ member }) =>
      !planned.plan.needs.includes(member) ||
      secretsFor(planned, false).includes(member.replace('credentials.', '')),
  );

/** Members that the service's schema has at a path in a declaration. */
export const knownMembers = async (
  api: Api,
  path: readonly string[],
): Promise<readonly string[]> => {
  const schema = await api.callOpenly('GET /declaration.schema.json');
  const server = jsonOf(jsonOf(jsonOf(schema.properties).servers).additionalProperties);
  return Object.keys(propertiesAt(server, path));
};

const propertiesAt = (schema: Json, [key, ...rest]: readonly string[]): Json => {
  const options = [schema, ...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (key === undefined) return Object.assign({}, ...options.map((one) => jsonOf(one.properties)));
  for (const one of options) {
    const below = [member(jsonOf(one.properties), key), one.additionalProperties, one.items].find(
      isJson,
    );
    if (below) return propertiesAt(below, rest);
  }
  return {};
};

/** Prefix of JSON pointers in findings, which the declaration's file lacks. */
const ENVELOPE = /^\/declaration(?=\/|$)/;

/** Findings with places in the declaration's file, or the description's. @throws errors that are no refusal */
export const inFile = async (
  api: Api,
  error: unknown,
  file: ServersFile,
  { slug, descriptionFile }: Pick<DeclaredServer, 'descriptionFile' | 'slug'>,
): Promise<readonly Finding[]> => {
  if (!(error instanceof Failure) || error.exitCode !== EXIT.refused) throw error;
  const { findings = [], hint = '' } = error.details;
  // Findings of this program have places already.
  if (error.code === 'secret_missing') return findings;
  if (findings.length === 0) {
    return [{ where: file.place(slug, []), what: error.message, hint }];
  }
  return Promise.all(
    findings.map(async (one): Promise<Finding> => {
      const pointer = one.where.replace(ENVELOPE, '');
      const keys = pointer.split('/').slice(1).map(unescaped);
      const isDescription = error.code.startsWith('description') || OF_DESCRIPTION.test(pointer);
      if (isDescription || (one.where !== '' && !one.where.startsWith('/'))) {
        return { ...one, where: `${descriptionFile ?? `${slug}: openapi`} ${one.where}`.trim() };
      }
      const where = `${file.place(slug, keys)} (${[slug, ...keys].join('.')})`;
      const last = keys.at(-1);
      if (one.what === 'unknown' && last !== undefined) {
        return unknownMember(where, last, await knownMembers(api, keys.slice(0, -1)));
      }
      const what = one.what === 'missing or wrong' ? one.hint : one.what;
      return { where, what, hint: what === one.hint ? '' : one.hint };
    }),
  );
};

const OF_DESCRIPTION = /^\/(?:paths|components|servers|info|webhooks|definitions|swagger)(?:\/|$)/;

const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');
