import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  type ContentNames,
  type Placement,
  placementOf,
  type Room,
  type TakenName,
} from '../../domain/content-names.ts';
import { Fault } from '../../domain/fault.ts';
import { MINUTE } from '../../domain/time.ts';
import { dynamoFault, undefinedUnlessMet } from './faults.ts';
import { stored } from './stored.ts';

/** A try fails only if another change of the same kind gets between its reading and its writing. */
const TRIES = 20;

const Directory = z.object({
  revision: z.int(),
  names: z.record(
    z.string(),
    z.object({ uri: z.exactOptional(z.string()), bytes: z.int(), since: z.int() }),
  ),
});
type Directory = z.output<typeof Directory>;

/**
 * The names that a deployment's contents of one kind have taken, in one item, so that no number of
 * writers at once takes a name or a uri twice or gets beyond the limits. A name is taken first, and what
 * bears it is stored then: what a crash has left taken is free for the same again at once, and for others
 * a minute later.
 *
 * @param kind - what the sort keys of the contents begin with
 * @param present - the names of what is stored, with what they take
 */
export const contentNames = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  kind: 'RES' | 'PROMPT',
  present: (deploymentId: string) => Promise<ContentNames>,
) => {
  const keyOf = (deploymentId: string) => ({ pk: `DEP#${deploymentId}`, sk: `NAMES#${kind}` });

  const read = async (deploymentId: string): Promise<Directory> => {
    const Key = keyOf(deploymentId);
    const { Item } = await dynamo
      .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      .catch(dynamoFault);
    if (Item) return stored(Directory, Item, `${Key.sk} of deployment ${deploymentId}`);
    return { revision: 0, names: { ...(await present(deploymentId)) } };
  };

  /** @returns false if somebody else was first */
  const write = async (deploymentId: string, { revision, names }: Directory): Promise<boolean> => {
    const Item = { ...keyOf(deploymentId), revision: revision + 1, names };
    const written = await dynamo
      .send(
        new PutCommand({
          TableName,
          Item,
          ConditionExpression: 'attribute_not_exists(pk) OR revision = :revision',
          ExpressionAttributeValues: { ':revision': revision },
        }),
      )
      .catch(undefinedUnlessMet);
    if (written) return true;
    // The SDK repeats a write whose answer was lost; the repetition then fails on our own item.
    return isDeepStrictEqual(await read(deploymentId), { revision: Item.revision, names });
  };

  /** Without what was taken, is not there, and will not come any more or is just what is wanted now. */
  const withoutDead = async (
    deploymentId: string,
    directory: Directory,
    wanted: string,
    { uri, bytes, since: now }: TakenName,
  ): Promise<Directory> => {
    const alive = await present(deploymentId);
    const isSame = (name: string, taken: TakenName) =>
      name === wanted && taken.uri === uri && taken.bytes === bytes;
    const names = Object.entries(directory.names).filter(
      ([name, taken]) =>
        Object.hasOwn(alive, name) || (now < taken.since + MINUTE && !isSame(name, taken)),
    );
    return { ...directory, names: Object.fromEntries(names) };
  };

  const changing = async (
    deploymentId: string,
    change: (directory: Directory) => Promise<Directory | Placement>,
  ): Promise<Placement> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const changed = await change(await read(deploymentId));
      if (typeof changed === 'string') return changed;
      if (await write(deploymentId, changed)) return 'placed';
    }
    throw new Fault('dynamodb', 'too many changes of one deployment at once');
  };

  return {
    /** @param isNew - otherwise what bears the name is replaced */
    take: (
      deploymentId: string,
      name: string,
      taken: TakenName,
      room: Room,
      isNew: boolean,
    ): Promise<Placement> =>
      changing(deploymentId, async (directory) => {
        const taking = ({ revision, names }: Directory): Directory | Placement => {
          const placement = placementOf(names, name, taken, room, isNew);
          return placement === 'placed'
            ? { revision, names: { ...names, [name]: taken } }
            : placement;
        };
        const first = taking(directory);
        if (typeof first !== 'string') return first;
        return taking(await withoutDead(deploymentId, directory, name, taken));
      }),

    release: async (deploymentId: string, name: string): Promise<void> => {
      await changing(deploymentId, async ({ revision, names }) => {
        const { [name]: released, ...others } = names;
        return released ? { revision, names: others } : 'placed';
      });
    },
  };
};
