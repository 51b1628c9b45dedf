import type { ApiAnswer } from '../../support/service/management.ts';
import type { Change, Seen, ServersToChange } from './changes.ts';

/**
 * Where a change is interrupted: before its nth write, and whether that and all later ones fail. The one before the first
 * counts the request, and nothing has begun then.
 */
export interface Place {
  readonly first: string;
  readonly second: string;
  readonly nth: number;
  readonly fails: boolean;
}

/** To all stores that hold something of a server. */
const WRITES =
  /^(?:PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems|PutObject|DeleteObjects?|(?:Create|Delete|Restore)Secret|PutSecretValue)$/;

/**
 * Makes one change of a new server before a write of another one.
 *
 * @returns what is wrong then, in words; undefined where the first change has fewer writes
 */
export const interleaved = async (
  servers: ServersToChange,
  { first, second, nth, fails }: Place,
): Promise<readonly string[] | undefined> => {
  const { service, changes, see } = servers;
  const slug = await servers.aServer();
  const [one, other] = [changes[first]!, changes[second]!];
  const { faults } = service.store.aws;
  let writes = -1;
  let isSecond = false;
  let later: ApiAnswer | undefined;
  const isNext = (operation: string): boolean => {
    if (isSecond || later || !WRITES.test(operation)) return false;
    writes += 1;
    return writes === nth;
  };
  faults.inject({
    kind: 'meanwhile',
    on: ({ operation }) => isNext(operation),
    happens: async () => {
      isSecond = true;
      later = await other.make(slug);
      isSecond = false;
    },
  });
  if (fails) {
    const on = ({ operation }: { readonly operation: string }) =>
      writes >= nth && !isSecond && WRITES.test(operation);
    faults.inject({ kind: 'fail', on });
  }
  const earlier = await one.make(slug);
  faults.clear();

  let faultsFound: readonly string[] | undefined;
  if (later) {
    const seen = await see(slug);
    const where = `${first} (${earlier.status}), before write ${nth}${fails ? ', which fails,' : ''} ${second} (${later.status})`;
    const made = [
      { ...one, answer: earlier },
      { ...other, about: other.aboutAtOnce ?? other.about, answer: later },
    ] as const;
    faultsFound = [
      ...lostAmong(made, seen),
      ...pointersToNothing(seen),
      ...(await doesNotFit(servers, slug)),
    ].map((fault) => `${where}: ${fault}`);
  }
  await servers.remove(slug);
  return faultsFound;
};

type Made = Change & { readonly answer: ApiAnswer };

/** What somebody was told is done is to be seen, unless the other one has changed the same. */
const lostAmong = ([one, other]: readonly [Made, Made], seen: Seen): readonly string[] => {
  const [isOne, isOther] = [one, other].map(
    ({ answer, shows }) => answer.status >= 300 || shows(seen),
  );
  const isSame =
    [one, other].some(({ about }) => about.includes('all')) ||
    one.about.some((its) => other.about.includes(its));
  if (isSame ? isOne || isOther : isOne && isOther) return [];
  return [`what was answered as done is lost (${isOne ? 'the second' : 'the first'})`];
};

const pointersToNothing = ({ credentials, recorded }: Seen): readonly string[] => [
  ...Object.entries(credentials).flatMap(([name, value]) =>
    value === 'missing' ? [`no store has the credential ${name}`] : [],
  ),
  ...(recorded === 'missing' ? ['nobody can read what is recorded'] : []),
];

/** What operators are told of it after a restore, in any table. */
const doesNotFit = async (
  { service }: ServersToChange,
  slug: string,
): Promise<readonly string[]> => {
  const { items = [] } = (await service.maintain({ operator: 'restore-check' })) as {
    readonly items?: readonly { readonly where: string; readonly what: string }[];
  };
  return items.flatMap(({ where, what }) => (where === `SLUG#${slug}` ? [what] : []));
};
