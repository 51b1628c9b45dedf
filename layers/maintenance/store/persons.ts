import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Page } from '../../platform/rules/paging.ts';
import type { Person, PersonRecord } from '../rules/persons.ts';
import { assigning, dynamoFault, undefinedUnlessMet } from '../../platform/dynamodb/items.ts';
import { callsOf } from './calls-of.ts';
import {
  inDeployments,
  inEvents,
  inLimits,
  inOauth,
  inUsers,
  type Item,
  type Match,
  OAUTH_ATTRIBUTES,
  USER_ATTRIBUTES,
  type Wanted,
  wantedOf,
} from './matches.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

export interface PersonTables {
  readonly limits: string;
  readonly events: string;
  readonly calls: string;
  readonly deployments: string;
  readonly users: string;
  readonly oauth: string;
}

type TableName = keyof PersonTables;

interface Searched {
  readonly find: (item: Item, wanted: Wanted) => Match | undefined;
  /** All that is read of it; absent: everything. */
  readonly attributes?: readonly string[];
}

/** In the order in which they are erased: those that name an id together with an address come last. */
const SEARCHED: readonly (readonly [TableName, Searched])[] = [
  ['limits', { find: inLimits }],
  ['events', { find: inEvents }],
  ['calls', { find: callsOf }],
  ['deployments', { find: inDeployments }],
  ['users', { find: inUsers, attributes: USER_ATTRIBUTES }],
  ['oauth', { find: inOauth, attributes: OAUTH_ATTRIBUTES }],
];

/** Of these, the first one that names ids. */
const FIRST_NAMING = SEARCHED.findIndex(([table]) => table === 'users');

/** A megabyte is read at once; so many items are looked at before somebody else has their turn. */
const PAGE = 1000;

/** Looks through whole tables: nothing but a few keys leads from a person to what is stored about them. */
export const dynamoPersons = (dynamo: DynamoDBDocumentClient, tables: PersonTables) => {
  const scan = async (table: TableName, key: Item | undefined, attributes?: readonly string[]) => {
    const { Items = [], LastEvaluatedKey } = await dynamo
      .send(
        new ScanCommand({
          TableName: tables[table],
          Limit: PAGE,
          ExclusiveStartKey: key,
          ConsistentRead: true,
          ...(attributes && projection(attributes)),
        }),
      )
      .catch(dynamoFault);
    return { items: Items as readonly Item[], key: LastEvaluatedKey };
  };

  const eraseOne = async (table: TableName, item: Item, { record, without }: Match) => {
    if (record.stays) return;
    const { pk, sk } = item;
    const TableName = tables[table];
    const Key = { pk, ...(sk !== undefined && { sk }) };
    await (without
      ? dynamo
          .send(new UpdateCommand({ TableName, Key, ...changes(item, without) }))
          .catch(undefinedUnlessMet)
      : dynamo.send(new DeleteCommand({ TableName, Key })).catch(dynamoFault));
  };

  const look = async (
    person: Person,
    after: string | undefined,
    use: (table: TableName, item: Item, match: Match) => Promise<void>,
  ): Promise<Page<PersonRecord>> => {
    const { at, key } = placeIn(after);
    const [table, { find, attributes }] = SEARCHED[at] ?? never();
    const page = await scan(table, key, attributes);
    const wanted = wantedOf(person);
    const records: PersonRecord[] = [];
    for (const item of page.items) {
      const match = find(item, wanted);
      if (!match) continue;
      await use(table, item, match);
      records.push(match.record);
    }
    const next = page.key ? [at, page.key] : at + 1 < SEARCHED.length ? [at + 1] : undefined;
    return { items: records, ...(next && { next: JSON.stringify(next) }) };
  };

  return {
    /** @param after - the `next` of the page before. A page may be empty with others after it. */
    page: (person: Person, after: string | undefined): Promise<Page<PersonRecord>> =>
      look(person, after, async () => undefined),
    /** The same in those tables that name the id of an account with an e-mail. */
    named: (
      person: Person,
      after: string | undefined = JSON.stringify([FIRST_NAMING]),
    ): Promise<Page<PersonRecord>> => look(person, after, async () => undefined),
    /**
     * The same as `page`, and removes each record but those that stay. What others did with the person, and what the
     * person did to others, loses their name only.
     *
     * @returns what was there before
     */
    erase: (person: Person, after: string | undefined): Promise<Page<PersonRecord>> =>
      look(person, after, eraseOne),
  };
};

/** Everything that any table holds about a person, for the maintenance function, which alone reads whole tables. */
export type Persons = ReturnType<typeof dynamoPersons>;

const Place = z.tuple([
  z.int().check(z.gte(0), z.lt(SEARCHED.length)),
  z.optional(z.object({ pk: z.string(), sk: z.optional(z.string()) })),
]);

/** @throws ApiRefusal for a cursor that this has not made */
const placeIn = (after: string | undefined) => {
  if (after === undefined) return { at: 0, key: undefined };
  try {
    const [at, key] = Place.parse(parsedJson(after));
    return { at, key };
  } catch {
    throw new ApiRefusal('invalid_request', 'This is no cursor of this search.');
  }
};

/** Said in so many words: the policy of whoever searches users asks for it. */
const projection = (attributes: readonly string[]) => ({
  Select: 'SPECIFIC_ATTRIBUTES' as const,
  ProjectionExpression: attributes.map((_, index) => `#a${index}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(
    attributes.map((name, index) => [`#a${index}`, name]),
  ),
});

/** What differs, where nobody else has changed it meanwhile: that is found by a repetition. */
const changes = (item: Item, without: Item) => {
  // A list changes with the revision beside it.
  const was = Object.keys(without).filter(
    (name) => item[name] !== undefined && !Array.isArray(item[name]),
  );
  return assigning(without, {
    ConditionExpression: was.map((name) => `#${name} = :was_${name}`).join(' AND '),
    ExpressionAttributeValues: Object.fromEntries(was.map((name) => [`:was_${name}`, item[name]])),
  });
};

const never = (): never => {
  throw new Error('there is no such table');
};
