/**
 * The value of a header that stands in a request more than once with the same value, as where two layers of a client
 * both set it: gateways join the copies with commas. What differs stays as it is, for whoever reads it to refuse.
 *
 * Source: RFC 9110 §5.2, §5.3.
 */
export const oneOfCopies = (value: string): string => {
  const parts = value.split(',').map((part) => part.trim());
  // The value itself may have commas, so that copies are looked for from the shortest on.
  for (let length = 1; length * 2 <= parts.length; length += 1) {
    if (parts.length % length !== 0) continue;
    if (parts.every((part, at) => part === parts[at % length])) {
      return parts.slice(0, length).join(', ');
    }
  }
  return value;
};

/**
 * Headers of which a request has one. `Mcp-Name` is missing: it may be any text, so that only the body tells a copy
 * from a name with a comma. Headers of the edge are missing too, since nobody but the edge may set them.
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

/** Headers with equal copies of one taken for one. */
export const withoutCopies = (headers: SentHeaders): SentHeaders => {
  const copied = SINGLE.filter((name) => headers[name]?.includes(','));
  if (copied.length === 0) return headers;
  const single = copied.map((name) => [name, oneOfCopies(headers[name] ?? '')]);
  return { ...headers, ...Object.fromEntries(single) };
};
