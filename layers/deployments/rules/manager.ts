import * as z from 'zod/mini';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { described, line, type ValueOf } from '../../platform/rules/shape.ts';

/** Name of a declaration, such as `github.com/acme/orders:servers.yaml`. */
export const ManagerName = described(
  line(300),
  'What the declaration is known by: its repository or machine, and its path there.',
);

/** Declaration that a deployment is changed by. Source: docs/declarations.md, "Who manages a server". */
export const Manager = z.object({
  by: ManagerName,
  at: z.int().check(z.minimum(0)),
  /** The deployment existed before the declaration took it over. */
  isAdopted: z.exactOptional(z.literal(true)),
  /** No plan removes the deployment. */
  isProtected: z.exactOptional(z.literal(true)),
});
export type Manager = ValueOf<typeof Manager>;

interface Managed {
  readonly slug: string;
  readonly managedBy?: Manager;
}

/** For changes that do not come from a declaration. @throws ApiRefusal managed */
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

/** @param adopts - it may take over a deployment that no declaration manages @throws ApiRefusal managed */
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

/** For a removal on behalf of a declaration. @throws ApiRefusal managed, also where none manages it */
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
