import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { User } from '../../accounts/rules/user.ts';
import type { Deployment } from '../rules/deployment.ts';
import { Fault } from '../../platform/rules/fault.ts';
import type { DeploymentEditor } from './deployment-store.ts';
import { userKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT } from '../../platform/dynamodb/items.ts';
import { transact } from '../../platform/dynamodb/transact.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { type Files, removedVersionWrites, versionWrites } from './versions/version-item.ts';
import { ownersActiveSlugs, reservedSlugs } from './slugs.ts';
import { deploymentItem, deploymentPages, deploymentReader } from './deployments.ts';
import { deploymentRemoval } from './removals.ts';

export const dynamoDeploymentEditor = (
  dynamo: DynamoDBDocumentClient,
  { deployments: TableName, content, users }: Record<'deployments' | 'content' | 'users', string>,
  files: Files,
): DeploymentEditor => {
  const read = deploymentReader(dynamo, TableName);
  const slugs = ownersActiveSlugs(dynamo, TableName);
  const reserved = reservedSlugs(dynamo, TableName);

  const put = (deployment: Deployment, condition: object): Write => ({
    Put: { TableName, Item: deploymentItem(deployment), ...condition },
  });

  const signedIn = ({ id, signedOutAt }: Pick<User, 'id' | 'signedOutAt'>): Write => ({
    ConditionCheck: {
      TableName: users,
      Key: userKey(id),
      ConditionExpression: 'signedOutAt = :signedOutAt',
      ExpressionAttributeValues: { ':signedOutAt': signedOutAt },
    },
  });

  return {
    read,
    reservation: reserved.find,

    create: async (deployment, { version, maxActive, owner } = {}) => {
      const refused = await transact<string>(dynamo, {
        deployment: put(deployment, ABSENT),
        reservation: reserved.take(deployment),
        ...(owner && { owner: signedIn(owner) }),
        ...(deployment.status === 'active' && { place: slugs.add(deployment, maxActive) }),
        ...(version && (await versionWrites(content, files, version))),
      });
      if (refused.size === 0) return 'created';
      if (refused.has('deployment')) {
        const isOurs = isDeepStrictEqual(await read(deployment.slug), deployment);
        return isOurs ? 'created' : 'slug_taken';
      }
      if (refused.has('reservation')) return 'slug_taken';
      if (refused.has('owner')) return 'owner_gone';
      if (refused.has('place')) return 'limit_reached';
      throw new Fault('dynamodb', 'a version of a new deployment is there already');
    },

    replace: async (before, after, { version, maxActive, owner, together } = {}) => {
      const [wasActive, isActive] = [before, after].map(({ status }) => status === 'active');
      const isTransferred = before.ownerId !== after.ownerId;
      const dropped = before.history.filter((one) => !after.history.includes(one));
      const refused = await transact<string>(dynamo, {
        deployment: put(after, {
          ConditionExpression: 'id = :id AND revision = :revision',
          ExpressionAttributeValues: { ':id': before.id, ':revision': before.revision },
        }),
        ...(owner && { owner: signedIn(owner) }),
        ...(isActive && (!wasActive || isTransferred) && { place: slugs.add(after, maxActive) }),
        ...(isTransferred && { left: slugs.give(before) }),
        ...(wasActive && !isActive && !isTransferred && { left: slugs.remove(before) }),
        ...(version && (await versionWrites(content, files, version))),
        ...removedVersionWrites(content, after.id, dropped),
        ...together,
      });
      if (refused.size === 0) return 'replaced';
      const isFull = refused.has('place') && !refused.has('deployment') && !refused.has('owner');
      return isFull ? 'limit_reached' : 'stale';
    },

    remove: deploymentRemoval(dynamo, TableName),

    listByOwner: deploymentPages(dynamo, TableName),
    activeSlugs: slugs.list,
    givenAway: slugs.givenAway,
    forgetOwner: slugs.forget,
  };
};
