import type { User } from '../../../accounts/rules/user.ts';
import { GALLERY } from '../../gallery/gallery.ts';
import type { FetchTerms } from '../../rules/fetch-terms.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { LimitsPorts, LimitsSettings } from '../../../limits/ports.ts';
import { createDeployment, type WantedDeployment } from './create-deployment.ts';
import type { PortsOf } from '../../../platform/ports.ts';

type GalleryLimit = readonly [limit: 'gallery_per_hour' | 'gallery_per_day', window: string];

/** Limits with their windows, the shortest first. */
const LIMITS: readonly GalleryLimit[] = [
  ['gallery_per_hour', 'an hour'],
  ['gallery_per_day', 'a day'],
];

/**
 * Creates a deployment from a gallery entry. On the free plan it counts against a limit first.
 *
 * @param attempt - id of the request and of the deployment
 * @throws ApiRefusal not_found, rate_limited, and what `createDeployment` throws
 * Source: docs/decisions/management.md, "Gallery".
 */
export const deployFromGallery = async (
  ports: PortsOf<typeof createDeployment> & Pick<LimitsPorts, 'counters'>,
  owner: User,
  terms: FetchTerms,
  { id, ...wanted }: Omit<WantedDeployment, 'source'> & { readonly id: string },
  attempt: string,
) => {
  const entry = GALLERY.find((one) => one.id === id);
  if (!entry) throw new ApiRefusal('not_found', 'The gallery has no entry of this id.');
  if (owner.plan === 'free') await countDeployment(ports, owner);
  const source = { sent: entry.openapi };
  return {
    entry,
    ...(await createDeployment(ports, owner, terms, { ...wanted, source }, attempt)),
  };
};

const countDeployment = async (
  {
    clock,
    counters,
    settings,
  }: Pick<LimitsPorts, 'clock' | 'counters'> & {
    readonly settings: LimitsSettings;
  },
  { id }: User,
): Promise<void> => {
  const now = clock.now();
  for (const [index, [limit, window]] of LIMITS.entries()) {
    const verdict = await counters.take(limit, id, now);
    if (verdict.allowed) continue;
    let told = { limit, window, retryAfterSeconds: verdict.retryAfterSeconds };
    // If a longer window is used up too, its wait is reported.
    for (const [longer, its] of LIMITS.slice(index + 1)) {
      const seen = await counters.look(longer, id, now);
      if (!seen.allowed) told = { ...seen, limit: longer, window: its };
    }
    const { retryAfterSeconds } = told;
    throw new ApiRefusal(
      'rate_limited',
      `The free plan deploys ${settings.limits[told.limit]} times ${told.window} from the gallery (limit ${told.limit}). Try again in ${retryAfterSeconds} seconds.`,
      [],
      told.limit,
      { retryAfterSeconds, limit: told.limit },
    );
  }
};
