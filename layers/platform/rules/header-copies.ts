/**
 * Collapses a header that a client has sent several times with the same value, as when two of its layers set it:
 * gateways join the copies with commas. Different values stay joined, to be refused later.
 * Source: RFC 9110 §5.2, §5.3.
 */
export const oneOfCopies = (value: string): string => {
  const parts = value.split(',').map((part) => part.trim());
  // The value itself may contain commas, so the shortest repeated group is searched first.
  for (let length = 1; length * 2 <= parts.length; length += 1) {
    if (parts.length % length !== 0) continue;
    if (parts.every((part, at) => part === parts[at % length])) {
      return parts.slice(0, length).join(', ');
    }
  }
  return value;
};

/**
 * Headers that a request may have once. `Mcp-Name` is missing: it may contain commas, so only the body can tell copies
 * from a name. Headers of CloudFront are missing too, since only it can set them.
 */
const SINGLE = [
  'authorization',
  'content-length',
  'content-type',
  'idempotency-key',
  'mcp-method',
  'mcp-protocol-version',
  'origin',
  'traceparent',
];

type SentHeaders = Readonly<Record<string, string | undefined>>;

/** Collapses repeated headers of equal values. */
export const withoutCopies = (headers: SentHeaders): SentHeaders => {
  const copied = SINGLE.filter((name) => headers[name]?.includes(','));
  if (copied.length === 0) return headers;
  const single = copied.map((name) => [name, oneOfCopies(headers[name] ?? '')]);
  return { ...headers, ...Object.fromEntries(single) };
};
