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
  readonly attributes?: readonly string[];
}

/** Tables in order of erasure: those that connect ids with addresses come last, so that a repetition finds the ids. */
const SEARCHED: readonly (readonly [TableName, Searched])[] = [
  ['limits', { find: inLimits }],
  ['events', { find: inEvents }],
  ['calls', { find: callsOf }],
  ['deployments', { find: inDeployments }],
  ['users', { find: inUsers, attributes: USER_ATTRIBUTES }],
  ['oauth', { find: inOauth, attributes: OAUTH_ATTRIBUTES }],
];

const FIRST_NAMING = SEARCHED.findIndex(([table]) => table === 'users');

/** Limits a scan, which reads up to 1 MB anyway. */
const PAGE = 1000;

/** Finds everything about a person by scanning whole tables, since few keys lead from a person to their data. */
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
    /** @param after - `next` of the previous page. A page may be empty though more follow. */
    page: (person: Person, after: string | undefined): Promise<Page<PersonRecord>> =>
      look(person, after, async () => undefined),
    /** Items of the tables that connect account ids with e-mail addresses. */
    named: (
      person: Person,
      after: string | undefined = JSON.stringify([FIRST_NAMING]),
    ): Promise<Page<PersonRecord>> => look(person, after, async () => undefined),
    /**
     * Like `page`, and deletes the items except those that stay. Records of actions between the person and others only
     * lose the person's name.
     * @returns the items before the erasure
     */
    erase: (person: Person, after: string | undefined): Promise<Page<PersonRecord>> =>
      look(person, after, eraseOne),
  };
};

export type Persons = ReturnType<typeof dynamoPersons>;

const Place = z.tuple([
  z.int().check(z.gte(0), z.lt(SEARCHED.length)),
  z.optional(z.object({ pk: z.string(), sk: z.optional(z.string()) })),
]);

/** @throws ApiRefusal for a cursor from elsewhere */
const placeIn = (after: string | undefined) => {
  if (after === undefined) return { at: 0, key: undefined };
  try {
    const [at, key] = Place.parse(parsedJson(after));
    return { at, key };
  } catch {
    throw new ApiRefusal('invalid_request', 'This is no cursor of this search.');
  }
};

/** `Select` is explicit because the IAM policy for the table `users` requires it. */
const projection = (attributes: readonly string[]) => ({
  Select: 'SPECIFIC_ATTRIBUTES' as const,
  ProjectionExpression: attributes.map((_, index) => `#a${index}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(
    attributes.map((name, index) => [`#a${index}`, name]),
  ),
});

/** Update under the condition that the item is unchanged since it was read; a repetition finds it otherwise. */
const changes = (item: Item, without: Item) => {
  // Lists are guarded by the revision that changes with them.
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
