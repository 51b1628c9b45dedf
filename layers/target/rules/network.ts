import ipaddr from 'ipaddr.js';
import * as z from 'zod/mini';
import { NETWORK_NAME } from './network-name.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Limits that keep a stage's networks within the 4 KB of a function's environment variables. */
export const MOST_NETWORKS = 10;
export const MOST_HOSTS = 20;
export const MOST_RANGES = 20;

export interface Network {
  readonly name: string;
  /** `orders.internal`, an IP address, or `*.internal` for all names below it. Lower case. */
  readonly hosts: readonly string[];
  readonly ranges: readonly string[];
  /** Whether unencrypted requests are allowed. */
  readonly http: boolean;
  /** PEM; trusted in addition to public authorities. */
  readonly certificateAuthorities: readonly string[];
}

/** Who may choose a network: everybody if empty. */
export interface NetworkUsers {
  readonly emails?: readonly string[];
  /** Of e-mail addresses. */
  readonly domains?: readonly string[];
}

/** What owners see of a network that they may choose. */
export type OfferedNetwork = Pick<Network, 'hosts' | 'http' | 'name'> & NetworkUsers;

/** Only normalized forms of resolvers and URLs: not octal, decimal or shortened ones. */
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || isIPv6(text);

const isIPv6 = (text: string): boolean => !text.includes('%') && ipaddr.IPv6.isValid(text);

/** Lower case: a host name, one after `*.`, or an IP address without brackets. */
export const isHostPattern = (text: string): boolean => {
  if (isIPv6(text)) return URL.parse(`https://[${text}]`)?.hostname === `[${text}]`;
  if (isAddress(text)) return true;
  return text.length <= 253 && HOST.test(text.startsWith('*.') ? text.slice(2) : text);
};

/**
 * Host names that no URL parser takes for an address: no number at the end. Source: WHATWG URL, "ends in a number".
 */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** @param host - as in URLs: lower case, IPv6 addresses without brackets; a dot at the end is ignored */
export const hasHost = ({ hosts }: Pick<Network, 'hosts'>, host: string): boolean => {
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return hosts.some((one) =>
    one.startsWith('*.') ? !isAddress(name) && name.endsWith(one.slice(1)) : one === name,
  );
};

/** What is wrong with an address range; undefined if nothing is. */
export const rangeFault = (text: string): string | undefined => {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const bits = Number(length);
  if (!isAddress(address) || bits > 8 * ipaddr.parse(address).toByteArray().length) {
    return 'write an address range in CIDR notation, such as 10.20.0.0/16';
  }
  if (bits < WIDEST) return `write a range of /${WIDEST} or narrower`;
  const first = ipaddr.parse(address).toByteArray();
  const masked = first.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * index));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  if (masked.every((byte, index) => byte === first[index])) return undefined;
  return `write ${ipaddr.fromByteArray(masked).toString()}/${bits}`;
};

const WIDEST = 8;

/** Ranges whose first address is never routable. */
export const isForbiddenRange = (text: string): boolean =>
  !isRoutable(ipaddr.parseCIDR(text)[0].toString());

/**
 * Whether an address can belong to a machine in a network, public ones included. Never: loopback and link-local
 * (metadata services of EC2 and ECS, the resolver, Lambda's own), unspecified, multicast, reserved, IPv6 forms that
 * embed an IPv4 address, and other metadata services.
 * Source: RFC 6890; EC2 User Guide, "Instance metadata"; docs/networks.md, "Addresses".
 */
export const isRoutable = (address: string): boolean => {
  if (!isAddress(address) || METADATA_SERVICES.has(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (parsed instanceof ipaddr.IPv4) return OF_MACHINES.has(range);
  if (range === 'uniqueLocal') return !parsed.match(AWS_LOCAL_IPV6);
  return range === 'unicast' && parsed.match(GLOBAL_IPV6);
};

const OF_MACHINES: ReadonlySet<string> = new Set(['private', 'carrierGradeNat', 'unicast']);

/** Azure's metadata service, at a public address. AWS, Google and others use link-local addresses. */
export const METADATA_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

export const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** EC2's metadata (`fd00:ec2::254`), resolver (`fd00:ec2::253`) and time server. */
const AWS_LOCAL_IPV6 = ipaddr.parseCIDR('fd00:ec2::/32');

export const hasAddress = ({ ranges }: Pick<Network, 'ranges'>, address: string): boolean => {
  const parsed = ipaddr.parse(address);
  return ranges.some((range) => {
    const cidr = ipaddr.parseCIDR(range);
    return cidr[0].kind() === parsed.kind() && parsed.match(cidr);
  });
};

export const mayUse = ({ emails, domains }: NetworkUsers, email: string | undefined): boolean => {
  if (!emails && !domains) return true;
  if (email === undefined) return false;
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return emails?.includes(address) === true || domains?.includes(domain) === true;
};

const names = z.array(z.string());
const name = z.string().check(z.regex(NETWORK_NAME));

const NetworkSchema = z.object({
  name,
  hosts: names,
  ranges: names,
  http: z.boolean(),
  certificateAuthorities: names,
});

const OfferedSchema = z.array(
  z.object({
    name,
    hosts: names,
    http: z.boolean(),
    emails: z.exactOptional(names),
    domains: z.exactOptional(names),
  }),
);

/** Network of this function, from its environment. @throws Error */
export const readNetwork = (text = ''): Network => z.parse(NetworkSchema, parsedJson(text));

/** Networks that owners may choose, from the environment; none if empty. @throws Error */
export const readOfferedNetworks = (text = ''): readonly OfferedNetwork[] =>
  text === '' ? [] : z.parse(OfferedSchema, parsedJson(text));
