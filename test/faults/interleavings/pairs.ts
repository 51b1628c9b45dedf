import type { CredentialStore } from '../../../layers/credentials/rules/credential-stores.ts';
import type { Change } from './changes.ts';

/** What the store of credentials has a part in. */
const OF_CREDENTIALS: ReadonlySet<string> = new Set(['main', 'tenant', 'all']);

const isOfCredentials = ({ about }: Change): boolean =>
  about.some((one) => OF_CREDENTIALS.has(one));

/** Each change with each other one. With another store than that of envelopes only those differ that have to do with credentials. */
export const pairsOf = (changes: Readonly<Record<string, Change>>, store: CredentialStore) => {
  const names = Object.keys(changes);
  return names
    .flatMap((first) => names.map((second) => ({ first, second })))
    .filter(
      ({ first, second }) =>
        first !== second && (store === 'envelope' || isOfCredentials(changes[first]!)),
    );
};
