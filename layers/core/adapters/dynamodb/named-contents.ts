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

/** What a deployment holds of one kind, one item each, known by name. */
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

  const read = async (deploymentId: string, name: string) => {
    const Key = keyOf(deploymentId, name);
    const { Item } = await dynamo
      .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      .catch(dynamoFault);
    return Item;
  };

  const names = contentNames(dynamo, TableName, prefix, async (deploymentId) =>
    Object.fromEntries(
      (await list(deploymentId)).map((content) => [content.name, { ...takes(content), since: 0 }]),
    ),
  );

  /** @returns false if the condition does not hold */
  const put = async (
    deploymentId: string,
    content: Content,
    condition: Pick<PutCommandInput, 'ConditionExpression'> = {},
  ): Promise<boolean> => {
    const item = { ...keyOf(deploymentId, content.name), ...itemOf(content) };
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
      return item && stored(schema, item, `${what} ${name} of deployment ${deploymentId}`);
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
    ): Promise<Placement | 'missing'> => {
      if (!(await read(deploymentId, content.name))) return 'missing';
      const taken = { ...takes(content), since: now };
      const placement = await names.take(deploymentId, content.name, taken, room, false);
      if (placement !== 'placed') return placement;
      const written = await put(deploymentId, content, {
        ConditionExpression: 'attribute_exists(pk)',
      });
      return written ? 'placed' : 'missing';
    },

    remove: async (deploymentId: string, name: string): Promise<boolean> => {
      const { Attributes } = await dynamo
        .send(
          new DeleteCommand({
            TableName,
            Key: keyOf(deploymentId, name),
            ReturnValues: 'ALL_OLD',
          }),
        )
        .catch(dynamoFault);
      if (!Attributes) return false;
      await names.release(deploymentId, name);
      return true;
    },
  };
};
