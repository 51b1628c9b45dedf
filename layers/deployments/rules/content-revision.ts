import { createHash } from 'node:crypto';

/** Hash of a resource or prompt, independent of the order of its members and of when it was written. */
export const contentRevision = (content: object): string => {
  const { updatedAt: _, ...what } = content as { readonly updatedAt?: unknown };
  return createHash('sha256').update(JSON.stringify(what, inOrder)).digest('base64url');
};

const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
