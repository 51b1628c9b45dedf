import { randomBytes } from 'node:crypto';

export const systemRandom = () => ({
  id: (): string => crypto.randomUUID(),
  /** 32 random bytes, base64url. */
  secret: (): string => randomBytes(32).toString('base64url'),
});

export type Random = ReturnType<typeof systemRandom>;
