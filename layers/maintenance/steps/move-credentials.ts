import { CredentialUnavailable } from '../../credentials/rules/credential-access.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { MINUTE } from '../../platform/rules/time.ts';
import type { FormerCredentials } from '../../credentials/rules/stores.ts';
import type { Ports } from '../../ports.ts';
import type { StoredRow } from '../rules/inventory.ts';
import { afterTheFirst, eachRow } from './each-row.ts';

export type MoveCredentialsPorts = Pick<
  Ports,
  | 'clock'
  | 'credentialVault'
  | 'credentialVersions'
  | 'formerCredentials'
  | 'storedRows'
  | 'timeLeft'
>;

export interface MovedCredentials {
  /** Deployments of which the former store holds nothing any more. */
  readonly moved: number;
  /** What stayed there, and why. */
  readonly items: readonly Finding[];
  /** Where the work goes on; absent at its end. */
  readonly next?: string;
}

/** An answer of a function has its size. */
const MAX_ITEMS = 1000;
const LEAST_MS = 60_000;
/** Longer than an instance of the router goes by what it has read of a deployment. */
const IN_USE_SECONDS = MINUTE;

/**
 * Moves credentials from the store before to the one that a stage uses now, and removes them there, where they
 * can be restored as after any removal. Calls go on meanwhile; what breaks off is finished by a repetition.
 *
 * @param cursor - the `next` of the answer before
 * @throws ApiRefusal invalid_request where the stage names no store before
 *
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
  const { clock, credentialVault, credentialVersions, storedRows } = ports;
  if (row.kind !== 'deployment') return undefined;
  const read = () => storedRows.deployment(row.slug);
  const deployment = await read();
  // What is being removed loses what both stores have.
  if (deployment === undefined || deployment === 'unreadable') return undefined;
  if (deployment.status === 'removing') return undefined;
  const { credential, id: deploymentId, ownerId } = deployment;
  const left = await former.find(deploymentId);
  if (!left || left.isDeleted) return undefined;

  const stays = (what: string, hint: string): Finding => ({ where: row.after, what, hint });
  if (credential) {
    const ref = { deploymentId, ownerId, version: credential.version };
    const isThere = async () => {
      const kept = await credentialVersions.find(deploymentId);
      return kept?.isDeleted === false && kept.versions.includes(ref.version);
    };
    if (!(await isThere())) {
      const value = await former.read(ref).catch(undefinedIfUnreadable);
      if (!value) return stays('its credential is in no store, or not readable', SET_AGAIN);
      await credentialVault.add(ref, value);
      if (!(await isThere())) return stays('its credential was changed just now', ONCE_MORE);
    }
    if (clock.now() < credential.setAt + IN_USE_SECONDS) {
      return stays('the one before its credential may be in use for a minute', ONCE_MORE);
    }
  }
  // A removal at the same time may have come before what was added.
  const now = await read();
  if (credential && (now === undefined || (now !== 'unreadable' && !now.credential))) {
    await credentialVault.remove(deploymentId);
  } else {
    await former.remove(deploymentId);
  }
  return 'moved';
};

const undefinedIfUnreadable = (error: unknown): undefined => {
  if (!(error instanceof CredentialUnavailable)) throw error;
};

const SET_AGAIN = 'Its owner sets the credential again.';
const ONCE_MORE = 'Run the command once more.';
