import ipaddr from 'ipaddr.js';
import * as z from 'zod/mini';
import { NETWORK_NAME } from './network-name.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Networks of a stage, hosts and ranges of one: all of them stand in the environment of functions, which has 4 KB. */
export const MOST_NETWORKS = 10;
export const MOST_HOSTS = 20;
export const MOST_RANGES = 20;

/** Which requests a private network takes. */
export interface Network {
  readonly name: string;
  /** `orders.internal`, an IP address, or `*.internal` for all names below it. Lower case. */
  readonly hosts: readonly string[];
  /** Address ranges in CIDR notation that requests may go to. */
  readonly ranges: readonly string[];
  /** Whether requests without TLS are made there. */
  readonly http: boolean;
  /** In PEM; trusted there, besides the public ones. */
  readonly certificateAuthorities: readonly string[];
}

/** Who may have deployments in a network; everybody where nothing is said. */
export interface NetworkUsers {
  readonly emails?: readonly string[];
  /** Of e-mail addresses. */
  readonly domains?: readonly string[];
}

/** A network as those see it who choose one. */
export type OfferedNetwork = Pick<Network, 'hosts' | 'http' | 'name'> & NetworkUsers;

/** An address as resolvers and URLs write it: no octal, decimal or shortened forms. */
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || isIPv6(text);

const isIPv6 = (text: string): boolean => !text.includes('%') && ipaddr.IPv6.isValid(text);

/** A host or a pattern in lower case: a name, one with `*.` before it, or an IP address without brackets. */
export const isHostPattern = (text: string): boolean => {
  if (isIPv6(text)) return URL.parse(`https://[${text}]`)?.hostname === `[${text}]`;
  if (isAddress(text)) return true;
  return text.length <= 253 && HOST.test(text.startsWith('*.') ? text.slice(2) : text);
};

/** Names that no reader of URLs takes for an address: the last label is no number. Source: WHATWG URL, "ends in a number". */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Whether a network's list has a host.
 *
 * @param host - as URLs have it: lower case, IPv6 addresses without brackets; a dot at the end counts for nothing
 */
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

/** Whether no request of any network may ever go into a range: its first address is one of those. */
export const isForbiddenRange = (text: string): boolean =>
  !isRoutable(ipaddr.parseCIDR(text)[0].toString());

/**
 * Whether an address is one of a machine in a network, public ones included. Never are loopback and link-local
 * addresses (the metadata services of EC2 and ECS, the resolver, what Lambda keeps for itself), unspecified, multicast
 * and reserved ones, every IPv6 form that carries an IPv4 address, and the metadata services that have other addresses.
 *
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

/** Public by its range, but answered by Azure's hosts themselves. AWS, Google and others use link-local addresses. */
export const METADATA_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

export const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Metadata (`fd00:ec2::254`), resolver (`fd00:ec2::253`) and time of EC2. */
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

/** The one that a function makes requests in, from its environment. @throws Error */
export const readNetwork = (text = ''): Network => z.parse(NetworkSchema, parsedJson(text));

/** Those that owners may choose; none if nothing is said. @throws Error */
export const readOfferedNetworks = (text = ''): readonly OfferedNetwork[] =>
  text === '' ? [] : z.parse(OfferedSchema, parsedJson(text));
