import type { TargetApi } from '../rules/web.ts';
import type { NetworkApiOptions } from './network-api.ts';

/** Sends each request into its private network, or over the public internet. */
export const inNetworks = <Direct extends TargetApi>(
  direct: Direct,
  options: NetworkApiOptions,
): Direct => {
  let opened: Promise<TargetApi> | undefined;
  // Imported on demand: most deployments are in no network.
  const networks = () =>
    (opened ??= import('./network-api.ts').then(({ networkApi }) => networkApi(options)));
  const send: TargetApi['send'] = async (deploymentId, request, longAnswer) => {
    const api = request.network === undefined ? direct : await networks();
    return api.send(deploymentId, request, longAnswer);
  };
  return { ...direct, send };
};
