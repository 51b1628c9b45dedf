import type { LimitValues } from '../../../limits/rules/limits.ts';
import type { Description } from '../../../openapi/document.ts';
import {
  type OperationsLimit,
  type SelectedOperations,
  selectOperations,
} from '../../../openapi/intake/select-operations.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import {
  type OperationChoice,
  type PublicationSettings,
  toolModeOf,
} from '../../rules/publication.ts';
import type { ToolMode } from '../../../openapi/tool-mode.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { Settings } from '../../../ports.ts';

/**
 * The operations of a description that its owner wants.
 *
 * @param former - of the version before, whose names may be gone
 * @param most - how many there may be, if not what the plan says
 * @throws ApiRefusal for a choice that cannot be, or has more
 */
export const chosenOperations = (
  { limits }: Settings,
  {
    description,
    publication,
  }: { readonly description: Description; readonly publication: PublicationSettings },
  plan: Plan,
  former: OperationChoice | undefined,
  most?: OperationsLimit,
): SelectedOperations =>
  selectOperations(
    description,
    publication.operations ?? { include: [], exclude: [] },
    most ?? operationsLimit(limits, toolModeOf(publication), plan),
    former,
  );

/**
 * How many operations there may be. In search mode the deployment counts as one endpoint, and the plan
 * says how many operations stand behind it.
 *
 * @throws ApiRefusal limit_reached if the plan forbids the mode
 *
 * Source: docs/decisions/descriptions.md, "Choosing operations"; docs/search-mode.md, "What changes".
 */
const operationsLimit = (limits: LimitValues, mode: ToolMode, plan: Plan): OperationsLimit => {
  const limit = `${plan}_searchable_operations` as const;
  const searchable = limits[limit];
  if (mode === 'operations') {
    const name = 'endpoints_per_deployment';
    return { max: limits[name], limit: name, searchable };
  }
  if (searchable > 0) return { max: searchable, limit, searchable: 0 };
  throw new ApiRefusal(
    'limit_reached',
    `The plan ${plan} does not allow the tool mode search (limit ${limit}).`,
    [{ where: '/tool_mode', what: 'not allowed', hint: 'Leave it out, and choose operations.' }],
    'search mode',
    { limit },
  );
};
