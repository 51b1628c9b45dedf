const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Whom a limit per IP address counts: an IPv4 address, or the /64 of an IPv6 address, since one
 * household or server owns that many. An address in any spelling is one subject.
 *
 * @param address - as the gateway saw it, never from a header
 *
 * Source: decisions, "Limits by name".
 */
export const addressSubject = (address: string): string => {
  const plain = address.trim().toLowerCase().split('%', 1)[0] ?? '';
  const mapped = MAPPED_IPV4.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!plain.includes(':')) return plain;
  return `${networkOf(plain).join(':')}::/64`;
};

const networkOf = (address: string): readonly string[] => {
  const [head = '', tail] = address.split('::', 2);
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  // A dotted IPv4 end stands for two groups.
  const afterLength = after.length + (tail?.includes('.') ? 1 : 0);
  const zeros = Math.max(0, GROUPS - before.length - afterLength);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''));
};

const groupsOf = (part: string): readonly string[] => (part === '' ? [] : part.split(':'));
