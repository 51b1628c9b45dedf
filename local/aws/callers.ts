import { randomBytes } from 'node:crypto';

interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The access keys of callers. They live as long as the process: every start draws new ones. */
export type Callers = ReturnType<typeof openCallers>;

export const openCallers = () => {
  const keys = new Map<string, AccessKey>();
  const callers = new Map<string, string>();
  return {
    keyOf: (caller: string): AccessKey => {
      const known = keys.get(caller);
      if (known) return known;
      const key = {
        accessKeyId: `LOCAL${randomBytes(16).toString('hex').toUpperCase()}`,
        secretAccessKey: randomBytes(30).toString('base64url'),
      };
      keys.set(caller, key);
      callers.set(key.accessKeyId, caller);
      return key;
    },
    callerOf: (accessKeyId: string) => callers.get(accessKeyId),
  };
};
