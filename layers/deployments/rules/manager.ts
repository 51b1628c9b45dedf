import * as z from 'zod/mini';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { described, line, type ValueOf } from '../../platform/rules/shape.ts';

/** What a declaration is known by: `github.com/acme/orders:servers.yaml`. */
export const ManagerName = described(
  line(300),
  'What the declaration is known by: its repository or machine, and its path there.',
);

/**
 * What declares a deployment, so that it is changed there and nowhere else.
 *
 * Source: docs/declarations.md, "Who manages a server".
 */
export const Manager = z.object({
  by: ManagerName,
  /** Since when. */
  at: z.int().check(z.minimum(0)),
  /** It was there before, and the declaration took it over. */
  isAdopted: z.exactOptional(z.literal(true)),
  /** No plan removes it. */
  isProtected: z.exactOptional(z.literal(true)),
});
export type Manager = ValueOf<typeof Manager>;

interface Managed {
  readonly slug: string;
  readonly managedBy?: Manager;
}

/**
 * Of a change that does not come from what manages a deployment.
 *
 * @throws ApiRefusal managed
 */
export const checkUnmanaged = ({ slug, managedBy }: Managed): void => {
  if (!managedBy) return;
  throw new ApiRefusal(
    'managed',
    `${slug} is managed by ${managedBy.by}: change it there, and apply that.`,
    {
      where: '/managed_by',
      what: 'a declaration, which the next apply of it would restore',
      hint: 'Release it from there first, or say that this one change is meant all the same.',
    },
  );
};

/**
 * Of a declaration that wants to change a deployment.
 *
 * @param adopts - whether it takes over what nothing manages
 * @throws ApiRefusal managed
 */
export const checkManager = (
  { slug, managedBy }: Managed,
  { by, adopts }: { readonly by: string; readonly adopts: boolean },
): void => {
  if (managedBy?.by === by) return;
  if (managedBy) {
    throw new ApiRefusal(
      'managed',
      `${slug} is managed by ${managedBy.by}, and this is ${by}: change it there, or release it there first.`,
      {
        where: '/managed_by',
        what: 'another declaration',
        hint: 'Take it out of one of the two, or release it from the other first.',
      },
    );
  }
  if (adopts) return;
  throw new ApiRefusal('managed', `${slug} is there already, and no declaration manages it.`, {
    where: '/managed_by',
    what: 'not made by this declaration',
    hint: 'Look at the plan, then apply it with `adopt` (`apply --adopt`): what the declaration does not say is lost.',
  });
};

/**
 * Of a removal that names what manages a deployment.
 *
 * @throws ApiRefusal managed
 */
export const checkManagedBy = ({ slug, managedBy }: Managed, by: string): void => {
  if (managedBy?.by === by) return;
  throw new ApiRefusal(
    'managed',
    `${slug} is managed by ${managedBy?.by ?? 'no declaration'}, and this is ${by}.`,
    {
      where: '/managed_by',
      what: 'another declaration, or none',
      hint: 'Remove it where it is managed, or yourself.',
    },
  );
};
