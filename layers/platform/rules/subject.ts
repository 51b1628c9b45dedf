import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** Half of an IPv6 address's eight groups. */
const NETWORK_GROUPS = 4;

/**
 * Subject of limits per IP address: an IPv4 address, or the /64 of an IPv6 address, since a household or server has one
 * of these. All notations of an address give the same subject.
 * @param address - of a client; also a subject
 */
export const addressSubject = (address: string): string => {
  const plain = address.trim().toLowerCase().replace(/\/64$/, '');
  if (!ipaddr.isValid(plain)) return plain;
  // IPv4-mapped IPv6 addresses count as IPv4.
  const processed = ipaddr.process(plain);
  if (processed instanceof ipaddr.IPv4) return processed.toString();
  const groups = processed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
};

/** Whether a text is such a subject, in its normal form. */
export const isAddressSubject = (text: string): boolean =>
  isAddress(text.replace(/\/64$/, '')) && addressSubject(text) === text;

/** Whether it is a single IP address in common notation: without port, zone or list. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) ||
  (ipaddr.IPv6.isValid(text) && !text.includes('%') && !text.includes('['));

/** Hashed, since ids of foreign issuers may be e-mails; as JSON, so that different pairs never collide. */
export const externalUserId = (issuer: string, subject: string): string =>
  `jwt_${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')}`;

/** Whether it has the form of such an id, which no user of this service has. */
export const isExternalUserId = (id: string): boolean => /^jwt_[\da-f]{64}$/.test(id);

/** Replaces an erased name; differs from all ids and addresses. */
export const ERASED = 'erased';
