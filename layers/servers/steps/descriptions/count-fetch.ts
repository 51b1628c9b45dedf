import { countWork, type CountWorkPorts } from '../../../limits/steps/count-work.ts';
import { type DescriptionSource, isUrlSource } from './compile-description.ts';

export type CountFetchPorts = CountWorkPorts;

/**
 * Counts a description that has to be fetched. Operators' own are not counted.
 *
 * @throws ApiRefusal rate_limited
 *
 * Source: docs/decisions/limits.md, "Work for an owner".
 */
export const countFetch = async (
  ports: CountFetchPorts,
  source: DescriptionSource,
  userId: string,
): Promise<void> => {
  if (!isUrlSource(source)) return;
  await countWork(ports, 'description_fetches_per_hour_per_user', userId);
};
