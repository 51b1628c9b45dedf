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
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  readonly isTls: boolean;
}

/**
 * Against server-side request forgery (SSRF): says whether a connection may be made: to public addresses with TLS only; to loopback addresses, with or without
 * TLS, only if the policy opens them and does not except the port. In a private network: to addresses of its ranges.
 *
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

/** What no machine has is refused whatever the ranges say, and so is what has to be encrypted and is not. */
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
 * Checks all that a URL tells before anything is resolved: scheme, userinfo, whether it is the service's own, whether
 * a private network has the host in its list, and
 * addresses, which Node connects to without asking a resolver. URLs have already turned decimal, octal and hexadecimal
 * addresses into normal ones.
 *
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

/**
 * Whether an address belongs to the public internet. Refused are private, local, shared, reserved and multicast
 * ranges, every IPv6 form that carries an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64), all of IPv6 that is
 * not yet assigned, and the metadata services of clouds.
 *
 * @param address - in its normal form, as URLs and resolvers give it
 * Source: RFC 6890; docs/outgoing-calls.md, "Addresses".
 */
export const isPublic = (address: string): boolean => {
  if (isIP(address) === 0 || METADATA_SERVICES.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && (parsed.zoneId || !parsed.match(GLOBAL_IPV6))) return false;
  return parsed.range() === 'unicast';
};

/** 127.0.0.0/8 and ::1 themselves; no IPv6 form of the former. */
export const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
