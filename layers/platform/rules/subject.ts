import { createHash } from 'node:crypto';
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

/**
 * What stands for a user of another issuer: a hash, since other people's ids may be e-mails, and of both in JSON, so that
 * no two pairs read alike.
 */
export const externalUserId = (issuer: string, subject: string): string =>
  `jwt_${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')}`;

/** Whether an id has the form of one of those, which no id of a user of the service has. */
export const isExternalUserId = (id: string): boolean => /^jwt_[\da-f]{64}$/.test(id);

/** In the place of a name that was erased; no id and no address is written so. */
export const ERASED = 'erased';
