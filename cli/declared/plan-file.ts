import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';
import { createHash } from 'node:crypto';
import { EXIT, Failure, type Finding } from '../failure.ts';
import { type Ask, textFrom } from '../input/ask.ts';
import { type Json, jsonOf, listOf, parsed, stringOf } from '../json.ts';
import type { DeclaredServer } from './declared-server.ts';
import type { ServerChange } from '../text/plan.ts';
import type { PlannedServer } from './service.ts';

export interface PlannedServers {
  readonly by: string;
  readonly servers: readonly PlannedServer[];
  /** Servers managed by the file, which does not list them any more. */
  readonly gone: readonly { readonly slug: string; readonly stays?: string }[];
}

/** Changes by server: all that a plan shows, to people and to programs. */
export const changesOf = ({ by, servers, gone }: PlannedServers): readonly ServerChange[] => [
  ...servers.map(({ server: { slug, given }, plan }): ServerChange => ({
    slug,
    plan,
    given,
    action: actionOf(plan, by),
  })),
  ...gone.map((one) => ({ ...one, action: 'remove' as const })),
];

/** The service compares the declaration only, and looks at the manager when it is applied. */
const actionOf = (
  { action, managed_by: manager }: Pick<PlannedServer['plan'], 'action' | 'managed_by'>,
  by: string,
): ServerChange['action'] => {
  if (action === 'add') return 'add';
  if (manager === undefined) return 'adopt';
  if (manager !== by) return 'managed';
  return action === 'same' ? 'same' : 'change';
};

/** A plan for `apply --plan`: names, actions and digests, no texts and no secrets. */
export const planFile = ({ by, servers, gone }: PlannedServers): Json => ({
  version: 1,
  managed_by: by,
  servers: servers.map(({ server, plan, base }) => ({
    slug: server.slug,
    action: actionOf(plan, by),
    base: base ?? null,
    digest: digestOf(server),
    differences: plan.differences.map(({ member }) => member),
    ...(plan.tools && { tools: plan.tools }),
    ...(plan.fetched.length > 0 && { fetched: plan.fetched }),
  })),
  gone: gone.map(({ slug, stays }) => ({ slug, removed: stays === undefined })),
});

const digestOf = ({ digests }: DeclaredServer): string =>
  createHash('sha256').update(JSON.stringify(digests)).digest('hex');

/** @throws Failure where the file or a server differs from the reviewed plan */
export const checkReviewed = async (
  ask: Ask,
  path: string,
  made: PlannedServers,
): Promise<void> => {
  const was = parsed(await textFrom(ask, path));
  const now = parsedJson(JSON.stringify(planFile(made))) as Json;
  if (JSON.stringify(was) === JSON.stringify(now)) return;
  const [before, after] = [jsonOf(was), now].map(
    ({ servers }) =>
      new Map(
        (servers as readonly Json[] | undefined)?.map((one) => [
          stringOf(one.slug),
          JSON.stringify(one),
        ]),
      ),
  );
  const slugs = [...(after ?? [])]
    .filter(([slug, one]) => before?.get(slug) !== one)
    .map(([slug]) => slug);
  throw new Failure(
    EXIT.refused,
    'plan_stale',
    `${slugs.length > 0 ? slugs.join(', ') : 'Something'} changed since this plan was made.`,
    { findings: movedAddresses(was, now), hint: 'Plan again, and have that reviewed.' },
  );
};

const movedAddresses = (was: unknown, now: Json): readonly Finding[] => {
  const [before, after] = [jsonOf(was), now].map((plan) =>
    listOf(plan.servers)
      .map(jsonOf)
      .flatMap(({ fetched }) => listOf(fetched).map(jsonOf)),
  );
  return (after ?? []).flatMap(({ url, sha256 }) => {
    const known = before?.find((one) => one.url === url);
    return !known || known.sha256 === sha256
      ? []
      : [{ where: stringOf(url), what: 'says something else than when it was planned', hint: '' }];
  });
};
