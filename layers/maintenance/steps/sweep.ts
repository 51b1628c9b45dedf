import { HOUR } from '../../platform/rules/time.ts';
import type { UnfinishedRemoval } from '../../deployments/store/deployment-store.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';
import type { MaintenancePorts } from '../ports.ts';
import type { SweepPosition, SweepStep } from '../rules/sweep.ts';
import type { VersionFile } from '../../deployments/rules/versions.ts';
import {
  type RemoveContentsPorts,
  removeContents,
} from '../../servers/steps/deployments/remove-deployment.ts';

type SweepPorts = RemoveContentsPorts & {
  readonly versions: Pick<
    DeploymentsPorts['versions'],
    'exist' | 'files' | 'isInUse' | 'removeFile'
  >;
} & Pick<MaintenancePorts, 'unfinishedRemovals' | 'log' | 'random' | 'sweepProgress' | 'timeLeft'>;

/** What an invocation has done, each counted. */
export interface Swept {
  /** Deployments whose removal broke off. */
  readonly deployments: number;
  /** Removed deployments under whose ids nothing is left by now. */
  readonly removals: number;
  readonly files: number;
  /** What could not be done; the next round tries it again. */
  readonly failed: number;
  /** False: the next invocation goes on where this one ended. */
  readonly complete: boolean;
}

type Work = keyof Omit<Swept, 'failed' | 'complete'>;

/** Younger things may belong to a request that is still under way, on whichever clock. */
const SAFE_SECONDS = HOUR;
const PAGE = 1000;
/** Nothing is begun with less: a deployment that holds much takes its time. */
const LEAST_MS = 60_000;

/**
 * Removes what no transaction covers: what a removal that broke off has left, what another request has
 * stored for a deployment after its removal, and files of versions that never came to be served or cannot
 * be returned to any more. May be repeated, and run beside everything.
 *
 * Goes on with the round that is under way, or begins one. How far it has come is stored after every page,
 * and before the time is over, so that an invocation goes on where the last one ended.
 *
 * Source: docs/decisions/storage.md, "The sweep".
 */
export const sweep = async (ports: SweepPorts): Promise<Swept> => {
  const { random, sweepProgress } = ports;
  const underWay = await sweepProgress.read();
  const begun: SweepPosition = { id: random.id(), step: 'deployments' };
  if (!underWay && !(await sweepProgress.advance(undefined, begun))) return NOTHING;
  return sweepFrom(ports, underWay ?? begun);
};

/** Goes on with a round that is under way, and does nothing where none is. */
export const continueSweep = async (ports: SweepPorts): Promise<Swept> => {
  const underWay = await ports.sweepProgress.read();
  return underWay ? sweepFrom(ports, underWay) : { ...NOTHING, complete: true };
};

const NOTHING: Swept = { deployments: 0, removals: 0, files: 0, failed: 0, complete: false };

const sweepFrom = async (ports: SweepPorts, start: SweepPosition): Promise<Swept> => {
  const { log, random, sweepProgress, timeLeft } = ports;
  const counts = { deployments: 0, removals: 0, files: 0, failed: 0 };
  let stored: SweepPosition | undefined = start;

  /** @returns false if another invocation leads the round on */
  const reach = async (step: SweepStep, after: string | undefined): Promise<boolean> => {
    const to = { id: random.id(), step, ...(after !== undefined && { after }) };
    const isOurs = await sweepProgress.advance(stored, to);
    stored = to;
    return isOurs;
  };

  /** @returns false if it did not come to the end */
  const walk = async <Item>(step: SweepStep, { page, keyOf, handle }: Walk<Item>) => {
    let after = stored?.step === step ? stored.after : undefined;
    do {
      const { items, next } = await page({ limit: PAGE, after });
      for (const item of items) {
        if (timeLeft.ms() < LEAST_MS) {
          await reach(step, after);
          return false;
        }
        after = keyOf(item);
        await handle(item).then(
          (done) => done && (counts[done] += 1),
          (error: unknown) => {
            counts.failed += 1;
            log.write({ message: 'not_swept', level: 'error', what: keyOf(item), error });
          },
        );
      }
      after = next;
      if (after !== undefined && !(await reach(step, after))) return false;
    } while (after !== undefined);
    return true;
  };

  const complete =
    (start.step === 'files' ||
      ((await walk('deployments', deploymentsOf(ports))) && (await reach('files', undefined)))) &&
    (await walk('files', filesOf(ports)));
  if (complete) await sweepProgress.advance(stored, undefined);
  const swept = { ...counts, complete };
  // Whoever schedules it sees no answer.
  log.write({ message: 'swept', ...swept });
  return swept;
};

interface Walk<Item> {
  page(query: PageQuery): Promise<Page<Item>>;
  /** Where the list goes on behind the item. */
  keyOf(item: Item): string;
  /** @returns what was done; undefined if there was nothing to do */
  handle(item: Item): Promise<Work | undefined>;
}

const deploymentsOf = (ports: SweepPorts): Walk<UnfinishedRemoval> => ({
  page: (query) => ports.unfinishedRemovals.page(query),
  keyOf: ({ after }) => after,
  handle: async (leftover) => {
    const { clock, unfinishedRemovals, versions } = ports;
    const now = clock.now();
    switch (leftover.kind) {
      case 'removing': {
        const { deployment } = leftover;
        if (now < deployment.updatedAt + SAFE_SECONDS) return undefined;
        await removeContents(ports, deployment.id, deployment.credentialNames);
        await unfinishedRemovals.remove(deployment, now);
        return 'deployments';
      }
      case 'removed': {
        const { deploymentId, removedAt, credentialNames } = leftover.removed;
        if (now < removedAt + SAFE_SECONDS) return undefined;
        // The request that made it may have been repeated after its removal, and made it again.
        if (!(await versions.exist(deploymentId))) {
          await removeContents(ports, deploymentId, credentialNames);
        }
        await unfinishedRemovals.forget(deploymentId);
        return 'removals';
      }
      case 'unreadable':
        throw new Error('the item is not readable');
    }
  },
});

const filesOf = ({ clock, versions }: SweepPorts): Walk<VersionFile> => ({
  page: (query) => versions.files(query),
  keyOf: ({ key }) => key,
  handle: async (file) => {
    if (clock.now() < file.createdAt + SAFE_SECONDS) return undefined;
    if (await versions.isInUse(file)) return undefined;
    await versions.removeFile(file.key);
    return 'files';
  },
});
