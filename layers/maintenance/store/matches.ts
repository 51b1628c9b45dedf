import { ERASED } from '../../platform/rules/subject.ts';
import { emailHash, USER_KIND } from '../../platform/dynamodb/keys.ts';
import type { Person, PersonRecord } from '../rules/persons.ts';

export type Item = Readonly<Record<string, unknown>>;

export interface Match {
  readonly record: PersonRecord;
  /** Attributes to set; absent: the item is deleted. */
  readonly without?: Item;
}

export interface Wanted extends Person {
  /** Hash of the e-mail, as in keys. */
  readonly hash: string;
}

export const wantedOf = (person: Person): Wanted => ({ ...person, hash: emailHash(person.email) });

/** Attributes of users that may be read: no password hash and nothing that verifies a mail's link. */
export const USER_ATTRIBUTES = [
  'pk',
  'kind',
  'id',
  'email',
  'name',
  'plan',
  'operator',
  'signedOutAt',
  'createdAt',
  'userId',
  'purpose',
  'reason',
  'since',
  'accountHash',
  'failures',
  'failedAt',
  'expiresAt',
] as const;

/** Attributes of grants, sessions and tokens that may be read: nothing that verifies a token except its key. */
export const OAUTH_ATTRIBUTES = [
  'pk',
  'id',
  'kind',
  'userId',
  'email',
  'plan',
  'clientId',
  'clientName',
  'deploymentId',
  'slug',
  'scopes',
  'grant',
  'createdAt',
  'grantedAt',
  'refreshedAt',
  'endedAt',
  'refreshEndedAt',
  'signedOutAt',
  'usedAt',
  'expiresAt',
  'revoked',
  'userAgent',
  'parties',
  'revision',
] as const;

/** Attributes of counters. Stored answers are left out, since they may contain tokens. */
const LIMITS_SHOWN = [
  'count',
  'hourStart',
  'hourCount',
  'monthStart',
  'monthCount',
  'begunAt',
  'expiresAt',
];

const keyOf = (item: Item): string => String(item['pk']);
const kindOf = (item: Item): string => keyOf(item).split('#', 1)[0] ?? '';

const picked = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(
    names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])),
  );

const recordOf = (table: string, item: Item, content: Item): PersonRecord => ({
  place: `${table} ${kindOf(item)}`,
  content,
});

const isTheirs = ({ email, ids }: Wanted, userId: unknown, address: unknown): boolean =>
  address === email || (typeof userId === 'string' && ids.includes(userId));

/** Table `users`: accounts, their e-mail and identities, mail tokens, failed sign-ins and known devices. */
export const inUsers = (item: Item, wanted: Wanted): Match | undefined => {
  const { ids, hash, email } = wanted;
  const [kind, ...rest] = keyOf(item).split('#');
  const content = picked(
    item,
    USER_ATTRIBUTES.filter((name) => !['pk', 'accountHash', 'kind'].includes(name)),
  );
  const record = recordOf('users', item, content);
  switch (kind) {
    case 'USER':
      return item['kind'] === USER_KIND && isTheirs(wanted, item['id'], item['email'])
        ? { record: { ...named(record, wanted, item['email'], item['id']), stays: 'account' } }
        : undefined;
    case 'EMAIL':
      // Belongs to the account, and is removed with it.
      return rest[0] === hash
        ? { record: { ...record, ids: textsIn(item['userId']), stays: 'account' } }
        : undefined;
    case 'IDENTITY':
      return isTheirs(wanted, item['userId'], undefined) ? { record } : undefined;
    case 'OPERATOR':
      return ids.includes(rest[0] ?? '') ? { record } : undefined;
    case 'MAIL':
      return rest.includes(hash) || item['email'] === email ? { record } : undefined;
    case 'DEVICE':
      return item['accountHash'] === hash ? { record } : undefined;
    default:
      return rest.includes(hash) ? { record } : undefined;
  }
};

/** Table `oauth`: sessions, grants, codes, tokens and their revocations. */
export const inOauth = (item: Item, wanted: Wanted): Match | undefined => {
  const [kind, id = ''] = keyOf(item).split('#');
  const { pk: _, revision, grant, parties, ...shown } = picked(item, OAUTH_ATTRIBUTES);
  if (kind === 'NOTBEFORE') return partyIn(item, wanted, { parties, revision });
  const given = (grant ?? {}) as Item;
  const owner = String(shown['userId'] ?? given['userId'] ?? '').replace(
    /^(?:SESSION|PAT|MACHINE|TRUST)#/,
    '',
  );
  const address = shown['email'] ?? given['email'];
  const isSignOut = kind === 'SIGNEDOUT' && wanted.ids.includes(id);
  if (!isSignOut && !isTheirs(wanted, owner, address)) return undefined;
  const content = { ...given, ...shown, ...(owner && { userId: owner }) };
  const record = recordOf('oauth', item, content);
  return { record: named(record, wanted, address, owner) };
};

/** Adds the account id to the ids of the wanted address or of another one. */
const named = (
  record: PersonRecord,
  { email }: Wanted,
  address: unknown,
  id: unknown,
): PersonRecord => {
  if (typeof address !== 'string') return record;
  return { ...record, [address === email ? 'ids' : 'otherIds']: textsIn(id) };
};

const partyIn = (item: Item, { ids }: Wanted, { parties, revision }: Item): Match | undefined => {
  const all = Array.isArray(parties) ? (parties as readonly Item[]) : [];
  const isTheir = ({ kind, id }: Item) => kind === 'user' && ids.includes(String(id));
  const theirs = all.filter(isTheir);
  if (theirs.length === 0) return undefined;
  const left = all.filter((party) => !isTheir(party));
  return {
    record: recordOf('oauth', item, { parties: theirs }),
    without: { parties: left, revision: Number(revision) + 1 },
  };
};

/** Table `deployments`: reserved slugs, invitations, and servers of others that name the person or were once theirs. */
export const inDeployments = (item: Item, wanted: Wanted): Match | undefined => {
  const { email, ids } = wanted;
  const isOwner = ids.includes(String(item['ownerId']));
  switch (kindOf(item)) {
    case 'RESERVED':
      return isOwner
        ? {
            record: recordOf('deployments', item, picked(item, ['slug', 'expiresAt'])),
            without: { ownerId: ERASED },
          }
        : undefined;
    case 'SLUG': {
      const { slug, access } = item;
      const { emails = [] } = (access ?? {}) as { readonly emails?: readonly string[] };
      if (isOwner) {
        const content = picked(item, ['slug', 'id', 'name', 'status', 'createdAt', 'updatedAt']);
        return { record: { ...recordOf('deployments', item, content), stays: 'account' } };
      }
      const isNamed = emails.includes(email);
      const isFirst = ids.includes(String(item['sealedFor']));
      const content = {
        slug,
        ...(isNamed && { access: 'its allow list names the e-mail address' }),
        ...(isFirst && { sealedFor: 'its credentials are sealed with the id of the account' }),
      };
      return isNamed || isFirst
        ? { record: { ...recordOf('deployments', item, content), stays: 'owner' } }
        : undefined;
    }
    case 'INVITED': {
      if (keyOf(item) !== `INVITED#${wanted.hash}`) return undefined;
      const invitations = item['deployments'];
      const content = { deployments: invitations instanceof Set ? [...invitations] : [] };
      return { record: { ...recordOf('deployments', item, content), stays: 'account' } };
    }
    case 'OWNER':
      return ids.some((id) => keyOf(item) === `OWNER#${id}`)
        ? { record: { ...recordOf('deployments', item, {}), stays: 'account' } }
        : undefined;
    default:
      return undefined;
  }
};

/** Table `limits`: counters by account id, address or its hash. */
export const inLimits = (item: Item, { email, hash, ids }: Wanted): Match | undefined => {
  const [limit = '', ...rest] = keyOf(item).split('#');
  if (!rest.some((part) => part === email || part === hash || ids.includes(part))) return undefined;
  return { record: recordOf('limits', item, { limit, ...picked(item, LIMITS_SHOWN) }) };
};

/** Table `security-events`: events about the person, and of their actions as an operator. */
export const inEvents = (item: Item, { email, hash, ids }: Wanted): Match | undefined => {
  const isTheirs = (value: unknown) =>
    typeof value === 'string' && (value === email || value === hash || ids.includes(value));
  const { pk: _, sk: __, deleteAfter: ___, ...content } = item;
  const record = recordOf('security-events', item, content);
  if (item['type'] === 'operator_command') {
    const { target } = item;
    if (!isTheirs(target)) return undefined;
    // The record of an operator's command stays, with the person's hash only.
    return target === hash
      ? { record: { ...record, stays: 'trace' } }
      : { record, without: { target: hash } };
  }
  if ([item['accountId'], item['subject'], item['user']].some(isTheirs)) return { record };
  return isTheirs(item['operatorId']) ? { record, without: { operatorId: ERASED } } : undefined;
};

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' && value !== '' ? [value] : [];
