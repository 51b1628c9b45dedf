import type { Owner } from './data-folder.ts';
import type { Service } from './service.ts';

/**
 * Makes sure that the owner has an account, verified, on the plan `pro`, and that of an operator: whose machine
 * it is may invoke every function anyway.
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
  await service.invoke('oauth', { operator: 'make-operator', email });
  return answer.account.id;
};
