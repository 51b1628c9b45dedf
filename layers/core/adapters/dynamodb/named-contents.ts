import { isDeepStrictEqual } from 'node:util';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Placement, Room, TakenName } from '../../domain/content-names.ts';
import { contentRevision } from '../../domain/deployments/content-revision.ts';
import { Fault } from '../../domain/fault.ts';
import { contentItems } from './content-list.ts';
import { contentNames } from './content-names.ts';
import { dynamoFault, undefinedUnlessMet } from './faults.ts';
import { stored } from './stored.ts';

interface Kind<Content> {
  /** What sort keys begin with. */
  readonly prefix: 'RES' | 'PROMPT';
  /** For faults. */
  readonly what: string;
  readonly schema: z.ZodMiniType<Content>;
  /** Without its key. */
  itemOf(content: Content): Readonly<Record<string, unknown>>;
  takes(content: Content): Omit<TakenName, 'since'>;
}

type Item = Readonly<Record<string, unknown>>;

/** A try fails only if another change of the same name gets between its reading and its writing. */
const TRIES = 20;

const ANY_ROOM: Room = { maxCount: Infinity, maxBytes: Infinity };

/**
 * What a deployment holds of one kind, one item each, known by name. An item says its revision, so that
 * a change can be made to what was looked at and to nothing else.
 */
export const namedContents = <Content extends { readonly name: string }>(
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  { prefix, what, schema, itemOf, takes }: Kind<Content>,
) => {
  const keyOf = (deploymentId: string, name: string) => ({
    pk: `DEP#${deploymentId}`,
    sk: `${prefix}#${name}`,
  });

  const list = async (deploymentId: string): Promise<readonly Content[]> => {
    const items = await contentItems(dynamo, TableName, deploymentId, `${prefix}#`);
    return items.map((item) => stored(schema, item, `a ${what} of deployment ${deploymentId}`));
  };

  const read = async (deploymentId: string, name: string): Promise<Item | undefined> => {
    const Key = keyOf(deploymentId, name);
    const { Item } = await dynamo
      .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      .catch(dynamoFault);
    return Item;
  };

  const contentIn = (item: Item, deploymentId: string, name: string): Content =>
    stored(schema, item, `${what} ${name} of deployment ${deploymentId}`);

  const names = contentNames(dynamo, TableName, prefix, async (deploymentId) =>
    Object.fromEntries(
      (await list(deploymentId)).map((content) => [content.name, { ...takes(content), since: 0 }]),
    ),
  );

  /** @returns false if the condition does not hold */
  const put = async (
    deploymentId: string,
    content: Content,
    condition: Condition = {},
  ): Promise<boolean> => {
    const revision = contentRevision(content);
    const item = { ...keyOf(deploymentId, content.name), ...itemOf(content), revision };
    const Item = Object.fromEntries(
      Object.entries(item).filter(([, value]) => value !== undefined),
    );
    const written = await dynamo
      .send(new PutCommand({ TableName, Item, ...condition }))
      .catch(undefinedUnlessMet);
    // The SDK repeats a write whose answer was lost; the repetition then fails on our own item.
    return written !== undefined || isDeepStrictEqual(await read(deploymentId, content.name), Item);
  };

  return {
    list,

    find: async (deploymentId: string, name: string): Promise<Content | undefined> => {
      const item = await read(deploymentId, name);
      return item && contentIn(item, deploymentId, name);
    },

    put: async (deploymentId: string, content: Content): Promise<void> => {
      await put(deploymentId, content);
    },

    create: async (
      deploymentId: string,
      content: Content,
      room: Room,
      now: number,
    ): Promise<Placement> => {
      const taken = { ...takes(content), since: now };
      const placement = await names.take(deploymentId, content.name, taken, room, true);
      if (placement !== 'placed') return placement;
      const written = await put(deploymentId, content, {
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return written ? 'placed' : 'name_taken';
    },

    replace: async (
      deploymentId: string,
      content: Content,
      room: Room,
      now: number,
      revisions?: readonly string[],
    ): Promise<Placement | 'missing' | 'stale'> => {
      const { name } = content;
      const take = (taker: Content, within: Room) =>
        names.take(deploymentId, name, { ...takes(taker), since: now }, within, false);

      let item = await read(deploymentId, name);
      for (let tries = 0; item && tries < TRIES; tries += 1) {
        if (!isOneOf(contentIn(item, deploymentId, name), revisions)) return 'stale';
        const placement = await take(content, room);
        if (placement !== 'placed') return placement;
        if (await put(deploymentId, content, unchangedSince(item))) return 'placed';
        // Somebody was faster: the names say again what is there, whatever becomes of this change.
        item = await read(deploymentId, name);
        await (item
          ? take(contentIn(item, deploymentId, name), ANY_ROOM)
          : names.release(deploymentId, name));
      }
      if (item) throw new Fault('dynamodb', 'too many changes of one content at once');
      return 'missing';
    },

    remove: async (
      deploymentId: string,
      name: string,
      revisions?: readonly string[],
    ): Promise<'removed' | 'missing' | 'stale'> => {
      const item = revisions && (await read(deploymentId, name));
      if (revisions && !item) return 'missing';
      if (item && !isOneOf(contentIn(item, deploymentId, name), revisions)) return 'stale';
      const answer = await dynamo
        .send(
          new DeleteCommand({
            TableName,
            Key: keyOf(deploymentId, name),
            ReturnValues: 'ALL_OLD',
            ...(item && unchangedSince(item)),
          }),
        )
        .catch(undefinedUnlessMet);
      // A repetition whose first answer was lost finds nothing any more.
      if (!answer && (await read(deploymentId, name))) return 'stale';
      if (answer && !answer.Attributes) return 'missing';
      await names.release(deploymentId, name);
      return 'removed';
    },
  };
};

type Condition = Pick<PutCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;

const isOneOf = (content: object, revisions: readonly string[] | undefined): boolean =>
  revisions?.includes(contentRevision(content)) ?? true;

/** What was stored before revisions were has none. */
const unchangedSince = ({ revision }: Item): Condition =>
  revision === undefined
    ? { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revision)' }
    : {
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ':revision': revision },
      };
