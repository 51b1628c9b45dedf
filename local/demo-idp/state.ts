import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOrUndefined } from '../../layers/platform/rules/json/parsed-json.ts';

const FILE = 'demo-idp.json';

type Payload = Readonly<Record<string, unknown>>;

interface Kept {
  readonly payload: Payload;
  /** Epoch milliseconds; absent if it never ends. */
  readonly endsAt?: number;
}

interface Stored {
  readonly clientSecret: string;
  readonly cookieKey: string;
  readonly key: Payload;
  readonly left: readonly string[];
  readonly items: Readonly<Record<string, Kept>>;
}

/** The company's state, in a file of the data folder that only you may read. It survives a restart. */
export const openDemoState = (dataFolder: string) => {
  const file = join(dataFolder, FILE);
  const known = readStored(file) ?? made();
  const { clientSecret, cookieKey, key } = known;
  const left = new Set(known.left);
  const items = new Map(Object.entries(known.items));

  const alive = (id: string): Payload | undefined => {
    const found = items.get(id);
    return found && (found.endsAt ?? Infinity) > Date.now() ? found.payload : undefined;
  };
  const save = (): void => {
    for (const id of items.keys()) if (!alive(id)) items.delete(id);
    const stored: Stored = {
      clientSecret,
      cookieKey,
      key,
      left: [...left],
      items: Object.fromEntries(items),
    };
    // Renamed into place, so that a process that is killed leaves no half of it.
    writeFileSync(`${file}.new`, JSON.stringify(stored), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  const remove = (isMeant: (payload: Payload) => boolean): void => {
    for (const [id, { payload }] of items) if (isMeant(payload)) items.delete(id);
    save();
  };

  save();
  return {
    clientSecret,
    cookieKey,
    key,
    hasLeft: (person: string): boolean => left.has(person),
    /** Has a person leave: their sessions, codes and refresh tokens end. */
    leave: (person: string): void => {
      left.add(person);
      remove(({ accountId }) => accountId === person);
    },
    comeBack: (person: string): void => {
      left.delete(person);
      save();
    },
    /** Storage of `oidc-provider`, which keeps each kind of object by itself. */
    adapter: (kind: string) => {
      const of = (id: string): string => `${kind} ${id}`;
      return {
        upsert: async (id: string, payload: Payload, expiresIn?: number): Promise<void> => {
          const endsAt = expiresIn === undefined ? {} : { endsAt: Date.now() + expiresIn * 1000 };
          items.set(of(id), { payload, ...endsAt });
          save();
        },
        find: async (id: string) => alive(of(id)),
        findByUid: async (uid: string) =>
          [...items.keys()]
            .filter((one) => one.startsWith(`${kind} `))
            .map(alive)
            .find((payload) => payload?.['uid'] === uid),
        findByUserCode: async () => undefined,
        consume: async (id: string): Promise<void> => {
          const payload = alive(of(id));
          const { endsAt } = items.get(of(id)) ?? {};
          if (!payload) return;
          const consumed = { ...payload, consumed: Math.floor(Date.now() / 1000) };
          items.set(of(id), { payload: consumed, ...(endsAt !== undefined && { endsAt }) });
          save();
        },
        destroy: async (id: string): Promise<void> => {
          items.delete(of(id));
          save();
        },
        revokeByGrantId: async (grantId: string): Promise<void> =>
          remove((payload) => payload['grantId'] === grantId),
      };
    },
  };
};

export type DemoState = ReturnType<typeof openDemoState>;

export const hadDemoState = (dataFolder: string): boolean => existsSync(join(dataFolder, FILE));

const readStored = (file: string): Stored | undefined => {
  try {
    // Only this module writes the file, and renames it into place, so its form is believed.
    return jsonOrUndefined(readFileSync(file, 'utf8')) as Stored | undefined;
  } catch {
    return undefined;
  }
};

const made = (): Stored => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomBytes(8).toString('hex');
  return {
    clientSecret: randomBytes(32).toString('base64url'),
    cookieKey: randomBytes(32).toString('base64url'),
    key: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' },
    left: [],
    items: {},
  };
};
