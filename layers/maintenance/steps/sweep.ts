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

export interface Swept {
  /** Deployments whose interrupted removal was finished. */
  readonly deployments: number;
  /** Removed deployments of which nothing is left now. */
  readonly removals: number;
  readonly files: number;
  /** Items that failed; the next round retries them. */
  readonly failed: number;
  /** False: the next invocation continues where this one ended. */
  readonly complete: boolean;
}

type Work = keyof Omit<Swept, 'failed' | 'complete'>;

/** Younger data may belong to a request under way; includes clock differences. */
const SAFE_SECONDS = HOUR;
const PAGE = 1000;
/** Nothing is started with less time left, since a large deployment takes long. */
const LEAST_MS = 60_000;

/**
 * Removes data that no transaction covers: the rest of interrupted removals, data that concurrent requests stored for a
 * deployment after its removal, and files of versions that were never served or can no longer be returned to.
 * Repeatable, and may run in parallel with everything.
 *
 * Continues the round under way or starts one. The position is stored after every page and before time runs out, so
 * that the next invocation continues from there.
 * Source: docs/decisions/storage.md, "The sweep".
 */
export const sweep = async (ports: SweepPorts): Promise<Swept> => {
  const { random, sweepProgress } = ports;
  const underWay = await sweepProgress.read();
  const begun: SweepPosition = { id: random.id(), step: 'deployments' };
  if (!underWay && !(await sweepProgress.advance(undefined, begun))) return NOTHING;
  return sweepFrom(ports, underWay ?? begun);
};

/** Continues a round under way; does nothing if there is none. */
export const continueSweep = async (ports: SweepPorts): Promise<Swept> => {
  const underWay = await ports.sweepProgress.read();
  return underWay ? sweepFrom(ports, underWay) : { ...NOTHING, complete: true };
};

const NOTHING: Swept = { deployments: 0, removals: 0, files: 0, failed: 0, complete: false };

const sweepFrom = async (ports: SweepPorts, start: SweepPosition): Promise<Swept> => {
  const { log, random, sweepProgress, timeLeft } = ports;
  const counts = { deployments: 0, removals: 0, files: 0, failed: 0 };
  let stored: SweepPosition | undefined = start;

  /** @returns false if another invocation has continued the round */
  const reach = async (step: SweepStep, after: string | undefined): Promise<boolean> => {
    const to = { id: random.id(), step, ...(after !== undefined && { after }) };
    const isOurs = await sweepProgress.advance(stored, to);
    stored = to;
    return isOurs;
  };

  /** @returns false if it stopped before the end */
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
  // The schedule that invokes this ignores the answer.
  log.write({ message: 'swept', ...swept });
  return swept;
};

interface Walk<Item> {
  page(query: PageQuery): Promise<Page<Item>>;
  /** Cursor that continues after the item. */
  keyOf(item: Item): string;
  /** @returns what was removed; undefined if nothing was to do */
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
        // A retried creation after the removal may have created the deployment again, under the same id.
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
