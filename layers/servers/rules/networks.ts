import { isUnencrypted } from '../../target/rules/target.ts';
import { hasHost, mayUse, type OfferedNetwork } from '../../target/rules/network.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { asSentence } from '../../platform/rules/text.ts';

type Networks = readonly OfferedNetwork[] | undefined;

const named = (networks: Networks, name: string | null | undefined): OfferedNetwork | undefined =>
  networks?.find((network) => network.name === name);

export const networksOf = (networks: Networks, email: string): readonly OfferedNetwork[] =>
  (networks ?? []).filter((network) => mayUse(network, email));

/**
 * A network that the owner may not use looks as if it did not exist.
 *
 * @param email - undefined for operators, who may choose any
 * @throws ApiRefusal invalid_request
 */
export const checkNetwork = (
  networks: Networks,
  chosen: string | null | undefined,
  email: string | undefined,
): void => {
  if (chosen === undefined || chosen === null) return;
  const network = named(networks, chosen);
  if (network && (email === undefined || mayUse(network, email))) return;
  throw new ApiRefusal('invalid_request', 'There is no private network of this name.', {
    where: '/network',
    what: 'not there',
    hint: 'Choose one of those that you may use (`hosted-mcp networks`), or ask the operator of this service.',
  });
};

/** Network in which an address is fetched: the deployment's if it lists the host, otherwise the public internet. */
export const networkFor = (
  networks: Networks,
  network: string | undefined,
  address: string,
): string | undefined => {
  const found = named(networks, network);
  const host = hostOf(address);
  return found && host !== undefined && hasHost(found, host) ? found.name : undefined;
};

const hostOf = (address: string): string | undefined =>
  URL.parse(address)?.hostname.replace(/^\[|\]$/g, '');

export const nextNetwork = (
  before: Pick<Deployment, 'network'> | undefined,
  { network: chosen }: { readonly network?: string | null | undefined },
): string | undefined => (chosen === undefined ? before?.network : (chosen ?? undefined));

/** Warns owners of networks that refuse the deployment's calls. */
export const networkWarnings = (
  networks: Networks,
  { network, apiBaseUrl }: { readonly apiBaseUrl: string; readonly network?: string | undefined },
): readonly Finding[] => {
  if (network === undefined) return [];
  const where = '/network';
  const found = named(networks, network);
  if (!found) {
    const what = `the service does not have the private network ${network} any more: every call is refused`;
    return [{ where, what, hint: 'Choose another one, or none.' }];
  }
  const host = hostOf(apiBaseUrl);
  if (host !== undefined && !hasHost(found, host)) {
    const what = `the private network ${network} does not have ${host} in its list: calls to it are refused`;
    return [
      {
        where,
        what,
        hint: `Its hosts are ${found.hosts.join(', ')}. Correct the base URL, or ask the operator of this service to add the host.`,
      },
    ];
  }
  if (isUnencrypted(apiBaseUrl) && !found.http) {
    const what = `the private network ${network} takes calls over https alone`;
    return [{ where, what, hint: 'Give an https address as the base URL.' }];
  }
  return [];
};

/** Step of the doctor about the private network; none without one. */
export const examinedNetwork = (
  networks: Networks,
  deployment: Pick<Deployment, 'apiBaseUrl' | 'network'>,
) => {
  const { network } = deployment;
  if (network === undefined) return [];
  const step = 'Private network';
  const [wrong] = networkWarnings(networks, deployment);
  if (!wrong) return [{ step, outcome: 'ok' as const, what: `Calls are made in ${network}.` }];
  const what = asSentence(wrong.what);
  return [{ step, outcome: 'failed' as const, what, hint: wrong.hint }];
};
