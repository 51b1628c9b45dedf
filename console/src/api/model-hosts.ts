import type { ModelHost } from '../../../layers/openapi/model-apis/protocols.ts';
import { notReached, problemIn } from './problem.ts';

/** Hosts of models that the operator of this service lists. @throws Problem */
export const modelHosts = async (): Promise<readonly ModelHost[]> => {
  const answer = await fetch('/v1/console/model-hosts.json').catch(() => {
    throw notReached();
  });
  if (!answer.ok) throw await problemIn(answer);
  return ((await answer.json()) as { readonly hosts: readonly ModelHost[] }).hosts;
};
