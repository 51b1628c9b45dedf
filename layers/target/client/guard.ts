import { isIP } from 'node:net';
import { NoAnswer, type TargetPolicy } from '../rules/target.ts';
import { trimmedEnd } from '../../platform/rules/trimmed.ts';
import { isLoopback, isPublic } from './address.ts';

/** Where a connection would go. */
export interface Destination {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  readonly isTls: boolean;
}

/**
 * Against server-side request forgery (SSRF): says whether a connection may be made: to public addresses with TLS only; to loopback addresses, with or without
 * TLS, only if the policy opens them and does not except the port.
 *
 * @throws NoAnswer `blocked_address`
 */
export const checkDestination = (policy: TargetPolicy, to: Destination): void => {
  const allowed = isLoopback(to.address)
    ? policy.loopback !== undefined && !policy.loopback.exceptPorts.includes(to.port)
    : to.isTls && isPublic(to.address);
  if (!allowed) throw new NoAnswer('blocked_address', `${to.address} is not open to requests`);
};

/**
 * Checks all that a URL tells before anything is resolved: scheme, userinfo, whether it is the service's own, and
 * addresses, which Node connects to without asking a resolver. URLs have already turned decimal, octal and hexadecimal
 * addresses into normal ones.
 *
 * @throws NoAnswer `blocked_address`
 */
export const checkUrl = (policy: TargetPolicy, url: URL): void => {
  const isTls = url.protocol === 'https:';
  if (!isTls && !(url.protocol === 'http:' && policy.loopback)) {
    throw new NoAnswer('blocked_address', 'the scheme is not https');
  }
  if (url.username !== '' || url.password !== '') {
    throw new NoAnswer('blocked_address', 'the URL carries a user name or password');
  }
  if (isOwn(policy, url)) throw new NoAnswer('blocked_address', 'the service itself');
  const address = hostOf(url);
  if (isIP(address) !== 0) checkDestination(policy, { address, port: portOf(url), isTls });
};

const isOwn = ({ own }: TargetPolicy, url: URL): boolean => {
  if (!own) return false;
  const host = trimmedEnd(url.hostname, /\./);
  return own.hosts.includes(host) || own.buckets.some((bucket) => isBucket(bucket, host, url));
};

/** Every form of address that S3 gives to a bucket. Source: Amazon S3 User Guide, "Virtual hosting of buckets". */
const isBucket = (bucket: string, host: string, { pathname }: URL): boolean => {
  if (!/\.amazonaws\.com(\.cn)?$/.test(host)) return false;
  if (host.startsWith(`${bucket}.s3`)) return true;
  const [first = ''] = pathname.slice(1).split('/', 1);
  return host.startsWith('s3') && decoded(first) === bucket;
};

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** A URL's host as connections take it: IPv6 addresses without brackets. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
