import * as z from 'zod';
import { BACKUP_DAYS } from '../../lambdas/storage-manifest.ts';

/** AWS Backup Vault Lock on the stage's vault. Source: docs/restore.md, "A locked vault". */
export interface VaultLock {
  readonly minRetentionDays: number;
  readonly maxRetentionDays?: number | undefined;
  /** Days until compliance mode begins; governance mode if absent. */
  readonly changeableForDays?: number | undefined;
}

const [SHORTEST, LONGEST] = [
  Math.min(...Object.values(BACKUP_DAYS)),
  Math.max(...Object.values(BACKUP_DAYS)),
];
const LEAST = `write 1 to ${SHORTEST}: a locked vault takes no backup that is kept for less, and nightly ones are kept for ${SHORTEST} days`;
const MOST = `write ${LONGEST} to 36500, or leave it out: a locked vault takes no backup that is kept for longer, and monthly ones are kept for ${LONGEST} days`;
const GRACE =
  'write 3 to 36500, after which nobody can take the lock back, or leave it out for one that can be taken back';

export const VaultLockSetting = z
  .strictObject({
    min_retention_days: z.int(LEAST).min(1, LEAST).max(SHORTEST, LEAST),
    max_retention_days: z.int(MOST).min(LONGEST, MOST).max(36_500, MOST).optional(),
    changeable_for_days: z.int(GRACE).min(3, GRACE).max(36_500, GRACE).optional(),
  })
  .transform(
    ({
      min_retention_days: minRetentionDays,
      max_retention_days: maxRetentionDays,
      changeable_for_days: changeableForDays,
    }): VaultLock => ({ minRetentionDays, maxRetentionDays, changeableForDays }),
  );
