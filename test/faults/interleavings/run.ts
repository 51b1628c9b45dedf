/**
 * Each change of a server, with each other one made before each of its writes, whether what comes after fails or not:
 *
 *   npm run interleavings                              all, an hour or more
 *   npm run interleavings -- --first 'the name is changed'   of one change; several, with `--first` before each
 *   npm run interleavings -- --store secrets-manager   with one store of credentials
 *
 * What was answered as done has to be seen afterwards, and nothing may point to what is not there. What is wrong is
 * written down, and the exit code is 1.
 */
import { parseArgs } from 'node:util';
import {
  CREDENTIAL_STORES,
  type CredentialStore,
} from '../../../layers/credentials/rules/credential-stores.ts';
import { serversToChange } from './changes.ts';
import { interleaved } from './interleaved.ts';
import { pairsOf } from './pairs.ts';

const { values } = parseArgs({
  options: { first: { type: 'string', multiple: true }, store: { type: 'string' } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let places = 0;
let wrong = 0;
/** On a service of its own: what removed servers have left makes each look at all of it longer. */
const walk = async (store: CredentialStore, first: string): Promise<void> => {
  const servers = await serversToChange(store);
  try {
    for (const pair of pairsOf(servers.changes, store).filter((one) => one.first === first)) {
      for (const fails of [false, true]) {
        for (let nth = 1; ; nth += 1) {
          const faults = await interleaved(servers, { ...pair, nth, fails });
          if (!faults) break;
          places += 1;
          wrong += faults.length;
          for (const fault of faults) say(`  ${fault}`);
        }
      }
    }
  } finally {
    await servers.service.stop();
  }
  say(`${store}, ${first}: ${places} places so far`);
};

const firstsOf = async (store: CredentialStore): Promise<ReadonlySet<string>> => {
  const { service, changes } = await serversToChange(store);
  await service.stop();
  return new Set(pairsOf(changes, store).map(({ first }) => first));
};

for (const store of CREDENTIAL_STORES.filter((one) => one === (values.store ?? one))) {
  for (const first of await firstsOf(store)) {
    if (values.first?.includes(first) ?? true) await walk(store, first);
  }
}
say(`${places} places, ${wrong} wrong`);
if (wrong > 0 || places === 0) process.exitCode = 1;
