import { usageFailure } from '../failure.ts';

export const DEFAULT_BASE_URL = 'http://127.0.0.1:8787/v1';

/** Base URL without a slash at its end, and with `/v1`. @param name - of the option @throws Failure usage */
export const readBaseUrl = (text: string, name = '--url'): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageFailure(`${name} must be an http or https URL, not "${text}".`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usageFailure(`${name} takes only scheme, host, port and path.`);
  }
  // Plain http would send passwords and tokens in clear.
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usageFailure(`${name} must be https: ${url.host} is not this machine.`);
  }
  const path = url.pathname.replace(/^((?:.*[^/])?)\/*$/, '$1');
  return `${url.origin}${path === '' ? '/v1' : path}`;
};

/** Whether a host is this machine whatever the DNS says. Source: RFC 6761 §6.3. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
