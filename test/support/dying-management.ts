import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamoDeploymentEditor } from '../../layers/core/adapters/dynamodb/deployment-editor.ts';
import { dynamoGrants } from '../../layers/core/adapters/dynamodb/grants.ts';
import { dynamoMintedTokens } from '../../layers/core/adapters/dynamodb/minted-tokens.ts';
import { dynamoOwnedSlugs } from '../../layers/core/adapters/dynamodb/owned-slugs.ts';
import { dynamoRemovals } from '../../layers/core/adapters/dynamodb/removals.ts';
import { dynamoRepeatables } from '../../layers/core/adapters/dynamodb/repeatables.ts';
import { dynamoUsers } from '../../layers/core/adapters/dynamodb/users.ts';
import { dynamoVersions } from '../../layers/core/adapters/dynamodb/versions.ts';
import { server } from '../../lambdas/management/server.ts';
import type { HttpEvent, HttpReply } from '../../layers/core/http/index.ts';
import { dyingBefore } from './flaky-dynamo.ts';
import {
  type ApiAnswer,
  answerOf,
  type ApiCall,
  requestOf,
  type TestManagement,
} from './management.ts';

/** The management function on a client of its own; who is signed in is read by a client that lives. */
const onClient = (
  { ports, store }: TestManagement,
  dynamo: DynamoDBDocumentClient,
): ((event: HttpEvent) => Promise<HttpReply>) => {
  const name = store.tableName;
  const users = dynamoUsers(dynamo, name('users'));
  return server({
    ...ports,
    deploymentEditor: dynamoDeploymentEditor(dynamo, name('deployments')),
    ownedSlugs: dynamoOwnedSlugs(dynamo, name('deployments')),
    removals: dynamoRemovals(dynamo, name('deployments')),
    versions: dynamoVersions(dynamo, name('deployment-content'), store.files()),
    repeatables: dynamoRepeatables(dynamo, name('limits')),
    grants: dynamoGrants(dynamo, name('oauth'), ports.settings.limits),
    mintedTokens: dynamoMintedTokens(dynamo, name('oauth')),
    users: { ...users, find: ports.users.find },
  });
};

/** One request to a function that is killed before its `nth` call to DynamoDB. */
export const callDying = async (
  service: TestManagement,
  nth: number,
  method: string,
  path: string,
  call: ApiCall,
): Promise<ApiAnswer> => {
  const send = onClient(service, dyingBefore(service.store.instance(), nth));
  return answerOf(await send(requestOf(method, path, call)));
};
