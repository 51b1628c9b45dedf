import type { Owner } from './data-folder.ts';
import type { Service } from './service.ts';

/**
 * Makes sure that the owner has an account, verified and on the plan `pro`.
 * Source: docs/local-run.md, "The local owner".
 *
 * @returns the account's id, which everything belongs to that the command line publishes
 */
export const provisionOwner = async (
  service: Service,
  { email, password }: Owner,
): Promise<string> => {
  const command = { operator: 'provision-account', email, password, name: 'Owner', plan: 'pro' };
  const answer = (await service.invoke('oauth', command)) as { account: { id: string } };
  return answer.account.id;
};
