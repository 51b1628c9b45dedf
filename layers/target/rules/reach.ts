/** Who can call an address: everybody, machines in the same private network, or programs on the same machine. */
export type Reach = 'public' | 'private' | 'loopback';

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** Source: RFC 1918 §3; RFC 3927; RFC 6598; RFC 4193; RFC 4291 §2.5.6. */
const PRIVATE_ADDRESS =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[f[cd]|\[fe[89ab])/;

/**
 * Domains unknown to public resolvers. Source: RFC 6762, Appendix G; RFC 8375; ICANN, "Private-use TLD .internal".
 */
const PRIVATE_NAME = /\.(?:corp|home|home\.arpa|internal|intranet|lan|local|localdomain|private)$/;

/** Judged by the text alone: a name may resolve to any address. */
export const reachOf = (address: string): Reach => {
  const host = URL.parse(address)?.hostname.toLowerCase().replace(/\.$/, '') ?? '';
  if (LOOPBACK.test(host)) return 'loopback';
  if (host.startsWith('[')) return PRIVATE_ADDRESS.test(host) ? 'private' : 'public';
  // Public authorities issue no certificates for names with an underscore. Source: CA/Browser Forum, Baseline
  // Requirements §7.1.4.2.
  const isNoPublicName = !host.includes('.') || host.includes('_') || PRIVATE_NAME.test(host);
  return isNoPublicName || PRIVATE_ADDRESS.test(host) ? 'private' : 'public';
};
