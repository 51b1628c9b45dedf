import ipaddr from 'ipaddr.js';

/** An IPv6 network has as many of an address's eight groups. */
const NETWORK_GROUPS = 4;

/**
 * Whom a limit per IP address counts: an IPv4 address, or the /64 of an IPv6 address, since one
 * household or server owns that many. An address in any spelling is one subject.
 *
 * @param address - of a client, or a subject
 */
export const addressSubject = (address: string): string => {
  const plain = address.trim().toLowerCase().replace(/\/64$/, '');
  if (!ipaddr.isValid(plain)) return plain;
  // An IPv4 address in IPv6 form is itself again.
  const processed = ipaddr.process(plain);
  if (processed instanceof ipaddr.IPv4) return processed.toString();
  const groups = processed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
};

/** Whether a text is what such a limit counts: of an address, in the one spelling. */
export const isAddressSubject = (text: string): boolean =>
  isAddress(text.replace(/\/64$/, '')) && addressSubject(text) === text;

/** Whether it is an IP address alone, in the usual spelling: no port, no zone, no list. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) ||
  (ipaddr.IPv6.isValid(text) && !text.includes('%') && !text.includes('['));
