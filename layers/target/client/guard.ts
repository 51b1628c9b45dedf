import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { trimmedEnd } from '../../platform/rules/text.ts';
import {
  GLOBAL_IPV6,
  hasAddress,
  hasHost,
  isRoutable,
  METADATA_SERVICES,
} from '../rules/network.ts';
import { NoAnswer, type NoAnswerReason, type TargetPolicy } from '../rules/target.ts';

interface Destination {
  readonly address: string;
  readonly port: number;
  readonly isTls: boolean;
}

/**
 * Guards against server-side request forgery (SSRF). Allowed are public addresses with TLS; loopback, also without
 * TLS, only if the policy opens it, and not at the ports that it excepts; in a private network, addresses of its
 * ranges.
 * @throws NoAnswer `blocked_address`, `address_not_in_network`
 */
export const checkDestination = (policy: TargetPolicy, to: Destination): void => {
  const reason = policy.network
    ? refusalInNetwork(policy, policy.network, to)
    : refusal(policy, to);
  if (reason) throw new NoAnswer(reason, `${to.address} is not open to requests`);
};

const refusal = (policy: TargetPolicy, to: Destination): NoAnswerReason | undefined => {
  const allowed = isLoopback(to.address)
    ? isOpenLoopback(policy, to)
    : to.isTls && isPublic(to.address);
  return allowed ? undefined : 'blocked_address';
};

/** Unroutable addresses, and unencrypted connections where TLS is required, are refused whatever the ranges say. */
const refusalInNetwork = (
  policy: TargetPolicy,
  network: NonNullable<TargetPolicy['network']>,
  to: Destination,
): NoAnswerReason | undefined => {
  const allowed = isLoopback(to.address)
    ? isOpenLoopback(policy, to)
    : (to.isTls || network.http) &&
      isRoutable(to.address) &&
      !network.exceptAddresses.includes(to.address);
  if (!allowed) return 'blocked_address';
  return hasAddress(network, to.address) ? undefined : 'address_not_in_network';
};

const isOpenLoopback = ({ loopback }: TargetPolicy, { port }: Destination): boolean =>
  loopback !== undefined && !loopback.exceptPorts.includes(port);

/**
 * Checks a URL before name resolution: scheme, userinfo, the service's own hosts, the hosts of a private network, and
 * IP addresses, which Node connects to without a resolver. URL parsing has normalized decimal, octal and hexadecimal
 * addresses.
 * @throws NoAnswer `blocked_address`, `host_not_in_network`, `address_not_in_network`
 */
export const checkUrl = (policy: TargetPolicy, url: URL): void => {
  const isTls = url.protocol === 'https:';
  if (!isTls && !(url.protocol === 'http:' && (policy.loopback || policy.network?.http))) {
    throw new NoAnswer('blocked_address', 'the scheme is not https');
  }
  if (url.username !== '' || url.password !== '') {
    throw new NoAnswer('blocked_address', 'the URL carries a user name or password');
  }
  if (isOwn(policy, url)) throw new NoAnswer('blocked_address', 'the service itself');
  const address = hostOf(url);
  if (policy.network && !hasHost(policy.network, address)) {
    throw new NoAnswer('host_not_in_network', `${address}: not among the hosts of the network`);
  }
  if (isIP(address) !== 0) checkDestination(policy, { address, port: portOf(url), isTls });
};

const isOwn = ({ own }: TargetPolicy, url: URL): boolean => {
  if (!own) return false;
  const host = trimmedEnd(url.hostname, /\./);
  return own.hosts.includes(host) || own.buckets.some((bucket) => isBucket(bucket, host, url));
};

/** All URL forms of an S3 bucket. Source: Amazon S3 User Guide, "Virtual hosting of buckets". */
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

/** IPv6 addresses without brackets, as connections take them. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/**
 * Whether an address is on the public internet. Not public are private, local, shared, reserved and multicast ranges,
 * IPv6 forms that embed an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64), unassigned IPv6, and metadata
 * services of clouds.
 * @param address - normalized, as URLs and resolvers give it. Source: RFC 6890; docs/outgoing-calls.md, "Addresses".
 */
export const isPublic = (address: string): boolean => {
  if (isIP(address) === 0 || METADATA_SERVICES.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && (parsed.zoneId || !parsed.match(GLOBAL_IPV6))) return false;
  return parsed.range() === 'unicast';
};

/** 127.0.0.0/8 and ::1, but no IPv6 form of the former. */
export const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
