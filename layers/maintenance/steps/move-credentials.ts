import {
  type CredentialPlace,
  CredentialUnavailable,
} from '../../credentials/rules/credential-access.ts';
import { credentialRef } from '../../credentials/rules/deployment-credential.ts';
import { MAIN } from '../../credentials/rules/credential-name.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { MINUTE } from '../../platform/rules/time.ts';
import type { FormerCredentials } from '../../credentials/store/stores.ts';
import type { PortsOf } from '../../platform/ports.ts';
import type { MaintenancePorts } from '../ports.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { StoredRow } from '../rules/inventory.ts';
import { type StoredCredentialPlace, storedCredentials } from '../rules/stored-credentials.ts';
import { afterTheFirst, eachRow } from './each-row.ts';

type MoveCredentialsPorts = PortsOf<typeof eachRow> &
  Pick<
    MaintenancePorts,
    'clock' | 'credentialVault' | 'credentialVersions' | 'formerCredentials' | 'timeLeft'
  >;

export interface MovedCredentials {
  /** Deployments of which the former store holds nothing any more. */
  readonly moved: number;
  readonly items: readonly Finding[];
  readonly next?: string;
}

/** Keeps the answer below Lambda's size limit. */
const MAX_ITEMS = 1000;
const LEAST_MS = 60_000;
/** Longer than the router caches a deployment. */
const IN_USE_SECONDS = MINUTE;

/**
 * Moves credentials from the stage's former store to the present one and removes them from the former, restorable like
 * after any removal. Calls continue meanwhile; repeating the command finishes an interrupted move.
 * @param cursor - `next` of the previous answer
 * @throws ApiRefusal invalid_request where the stage names no former store
 * Source: docs/aws.md, "Another store of credentials".
 */
export const moveCredentials = async (
  ports: MoveCredentialsPorts,
  cursor?: string,
): Promise<MovedCredentials> => {
  const { formerCredentials: former, timeLeft } = ports;
  if (!former) {
    throw new ApiRefusal(
      'invalid_request',
      'This stage names no store that it used before: `credential_store_former` does.',
    );
  }
  const items: Finding[] = [];
  let moved = 0;
  const isFull = () => items.length >= MAX_ITEMS || timeLeft.ms() < LEAST_MS;
  const stopped = await eachRow(ports, cursor, afterTheFirst(isFull), async (rows) => {
    for (const outcome of await Promise.all(rows.map((row) => move(ports, former, row)))) {
      if (outcome === 'moved') moved += 1;
      else if (outcome) items.push(outcome);
    }
  });
  return { moved, items, ...(stopped?.after !== undefined && { next: stopped.after }) };
};

const move = async (
  ports: MoveCredentialsPorts,
  former: FormerCredentials,
  row: StoredRow,
): Promise<'moved' | Finding | undefined> => {
  if (row.kind !== 'deployment') return undefined;
  const deployment = await ports.storedRows.deployment(row.slug);
  // The removal of a deployment deletes its credentials from both stores.
  if (deployment === undefined || deployment === 'unreadable') return undefined;
  if (deployment.status === 'removing') return undefined;
  let moved: 'moved' | undefined;
  for (const stored of storedCredentials(deployment)) {
    const outcome = await moveOne(ports, former, { row, slug: row.slug, deployment, ...stored });
    if (outcome === 'moved') moved = outcome;
    else if (outcome) return outcome;
  }
  return moved;
};

interface Movable extends StoredCredentialPlace {
  readonly row: StoredRow;
  readonly slug: string;
  readonly deployment: Deployment;
}

const moveOne = async (
  { clock, credentialVault, credentialVersions, storedRows }: MoveCredentialsPorts,
  former: FormerCredentials,
  { row, slug, deployment, place, used }: Movable,
): Promise<'moved' | Finding | undefined> => {
  const left = await former.find(place);
  if (!left || left.isDeleted) return undefined;

  const its = place.name === MAIN ? 'its credential' : `its credential ${place.name}`;
  const stays = (what: string, hint: string): Finding => ({ where: row.after, what, hint });
  if (used) {
    const ref = credentialRef(deployment, { ...place, version: used.version });
    const isThere = async () => {
      const kept = await credentialVersions.find(place);
      return kept?.isDeleted === false && kept.versions.includes(ref.version);
    };
    if (!(await isThere())) {
      const value = await former.read(ref).catch(undefinedIfUnreadable);
      if (!value) return stays(`${its} is in no store, or not readable`, SET_AGAIN);
      await credentialVault.add(ref, value);
      if (!(await isThere())) return stays(`${its} was changed just now`, ONCE_MORE);
    }
    if (clock.now() < used.setAt + IN_USE_SECONDS) {
      return stays(`the one before ${its} may be in use for a minute`, ONCE_MORE);
    }
  }
  // A concurrent removal of the deployment may have run before the credential was added.
  const now = await storedRows.deployment(slug);
  if (used && now !== 'unreadable' && !isUsed(now, place)) {
    await credentialVault.remove(place);
  } else {
    await former.remove(place);
  }
  return 'moved';
};

const isUsed = (deployment: Deployment | undefined, { name, from }: CredentialPlace): boolean =>
  deployment !== undefined &&
  storedCredentials(deployment).some(
    ({ place, used }) => used !== undefined && place.name === name && place.from === from,
  );

const undefinedIfUnreadable = (error: unknown): undefined => {
  if (!(error instanceof CredentialUnavailable)) throw error;
};

const SET_AGAIN = 'Its owner sets the credential again.';
const ONCE_MORE = 'Run the command once more.';
