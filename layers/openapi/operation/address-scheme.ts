import { reachOf } from '../../target/rules/reach.ts';

/** Completes a server address: an empty one is the root, a host without `https://` is no relative path. */
export const withScheme = (address: string): string => {
  if (address === '') return '/';
  const [, host] = HOST_AND_PORT.exec(address) ?? [];
  if (host !== undefined) return `${schemeOf(host)}://${address}`;
  return HOST.test(address) && !/^[^/]*\.(?:php|aspx?|ashx|jsp|cgi|json|ya?ml)\b/i.test(address)
    ? `https://${address}`
    : address;
};

/** `localhost:8080`, which URL parsers read as a scheme. */
const HOST_AND_PORT = /^((?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[a-f\d:]+\]):\d{1,5})(?:\/|$)/i;

/**
 * Scheme of a host without one: https for public hosts and for port 443; loopback and private hosts rarely have a
 * certificate at ports such as 8080, so that they get http there.
 */
export const schemeOf = (host: string): string => {
  const reach = reachOf(`http://${host}`);
  if (reach === 'public') return 'https';
  const isLocal = reach === 'loopback';
  const port = /:(\d+)$/.exec(host)?.[1] ?? (isLocal ? '80' : '443');
  return (isLocal ? port === '443' : port.endsWith('443')) ? 'https' : 'http';
};

const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?::\d+)?(?:\/|$)/i;
