import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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

/** Public by its range, but answered by Azure's hosts themselves. AWS, Google and others use link-local addresses. */
const METADATA_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
