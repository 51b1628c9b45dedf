import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { HOUR } from '../../platform/rules/time.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';
import type { PortsOf } from '../../platform/ports.ts';
import type { MaintenancePorts } from '../ports.ts';
import { storedCredentials } from '../rules/stored-credentials.ts';
import type { StoredRow } from '../rules/inventory.ts';
import { differencesOf } from './differences.ts';
import { afterTheFirst, atOnce, eachRow } from './each-row.ts';

type RestoreCheckPorts = PortsOf<typeof eachRow> &
  Pick<
    MaintenancePorts,
    | 'clock'
    | 'credentialVersions'
    | 'formerCredentials'
    | 'inventories'
    | 'storedTables'
    | 'timeLeft'
  > & { readonly versions: Pick<DeploymentsPorts['versions'], 'exist' | 'files'> };

export interface RestoreCheck {
  readonly items: readonly Finding[];
  readonly next?: string;
}

/** `rows` or `files`, optionally a space and the cursor within. */
export const RESTORE_CURSOR = /^(?:rows|files)(?: .+)?$/s;

const PAGE = 1000;
/** Keeps the answer below Lambda's size limit. */
const MAX_ITEMS = 1000;
const LEAST_MS = 60_000;
/** Younger files may belong to a publication under way. */
const SAFE_SECONDS = HOUR;

/**
 * Checks the consistency of all stored data and reports differences, as many as fit into one answer and the remaining
 * time. Changes nothing and may run in parallel with everything.
 * @param cursor - `next` of the previous answer
 * Source: docs/restore.md, "Does it fit together?".
 */
export const checkRestore = async (
  ports: RestoreCheckPorts,
  cursor?: string,
): Promise<RestoreCheck> => {
  const items: Finding[] = [];
  if (cursor === undefined) {
    const missing = await ports.storedTables.missing();
    items.push(...missing.map(({ name }) => tableIsMissing(name)));
    if (missing.some(({ isCompared }) => isCompared)) return { items };
  }
  const [step = '', after] = splitOnce(cursor ?? 'rows');
  const isFull = afterTheFirst(() => items.length >= MAX_ITEMS || ports.timeLeft.ms() < LEAST_MS);
  const look = async (rows: readonly StoredRow[]): Promise<void> => {
    const found = rows.map((row) => seenTwice(() => differencesAt(ports, row)));
    items.push(...(await Promise.all(found)).flat());
  };
  const stopped = step === 'rows' ? await eachRow(ports, after, isFull, look) : undefined;
  const next = stopped
    ? cursorOf('rows', stopped.after)
    : await checkFiles(ports, step === 'files' ? after : undefined, items, isFull);
  return { items, ...(next !== undefined && { next }) };
};

/** Reports only findings that appear in two looks: a difference may come from a change between two reads. */
const seenTwice = async (look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
  const first = new Set((await look()).map(({ where, what }) => `${where} ${what}`));
  if (first.size === 0) return [];
  return (await look()).filter(({ where, what }) => first.has(`${where} ${what}`));
};

const differencesAt = async (
  { credentialVersions, formerCredentials, inventories, storedRows }: RestoreCheckPorts,
  row: StoredRow,
): Promise<readonly Finding[]> => {
  if (row.kind === 'owner') return ownerDifferences(storedRows, row.ownerId);
  const deployment = await storedRows.deployment(row.slug);
  if (deployment === 'unreadable') {
    return [{ where: row.after, what: 'the row is not readable', hint: 'Put it back.' }];
  }
  // Part of a deployment under removal is gone already.
  if (deployment === undefined || deployment.status === 'removing') return [];
  return differencesOf(deployment, {
    holding: await inventories.of(deployment.id),
    credentials: await Promise.all(
      storedCredentials(deployment).map(async ({ place, used }) => ({
        name: place.name,
        version: used?.version,
        kept: used && (await credentialVersions.find(place)),
        former: await formerCredentials?.find(place),
      })),
    ),
    activeSlugs: await storedRows.activeSlugs(deployment.ownerId),
  });
};

const ownerDifferences = async (
  storedRows: RestoreCheckPorts['storedRows'],
  ownerId: string,
): Promise<readonly Finding[]> => {
  const found: Finding[] = [];
  for (const slug of await storedRows.activeSlugs(ownerId)) {
    const deployment = await storedRows.deployment(slug);
    if (deployment === 'unreadable') continue;
    if (deployment?.ownerId === ownerId && deployment.status === 'active') continue;
    found.push({
      where: `OWNER#${ownerId}`,
      what: `counts ${slug}, which is no active deployment of this owner`,
      hint: `Put back SLUG#${slug}, or take the slug out of activeSlugs.`,
    });
  }
  return found;
};

/** Finds files of deployments without any other stored data, which the sweep would delete. */
const checkFiles = async (
  { clock, versions }: RestoreCheckPorts,
  from: string | undefined,
  items: Finding[],
  isFull: () => boolean,
): Promise<string | undefined> => {
  let after = from;
  let seen: string | undefined;
  do {
    const page = await versions.files({ limit: PAGE, after });
    const unseen: { readonly deploymentId: string; readonly before: string | undefined }[] = [];
    for (const { key, deploymentId, createdAt } of page.items) {
      if (deploymentId !== seen && clock.now() >= createdAt + SAFE_SECONDS) {
        unseen.push({ deploymentId, before: after });
        seen = deploymentId;
      }
      after = key;
    }
    for (const some of atOnce(unseen)) {
      if (isFull()) return cursorOf('files', some[0]?.before);
      const exist = await Promise.all(some.map(({ deploymentId: id }) => versions.exist(id)));
      items.push(
        ...some.filter((_, at) => !exist[at]).map(({ deploymentId }) => filesAlone(deploymentId)),
      );
    }
    after = page.next;
  } while (after !== undefined);
  return undefined;
};

const filesAlone = (deploymentId: string): Finding => ({
  where: `deployments/${deploymentId}/`,
  what: 'there are files of a deployment of which no version is stored',
  hint: `Put back DEP#${deploymentId} and its row; otherwise the sweep removes the files.`,
});

const tableIsMissing = (name: string): Finding => ({
  where: name,
  what: 'the table is missing',
  hint: 'Restore it under this name.',
});

const cursorOf = (step: string, after: string | undefined): string =>
  after === undefined ? step : `${step} ${after}`;

const splitOnce = (cursor: string): readonly [string, string?] => {
  const [step = '', ...rest] = cursor.split(' ');
  return rest.length === 0 ? [step] : [step, rest.join(' ')];
};
