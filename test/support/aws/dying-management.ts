import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamoGrants } from '../../../layers/oauth/store/grants.ts';
import { dynamoMintedTokens } from '../../../layers/tokens/store/minted-tokens.ts';
import { dynamoIdempotencyRecords } from '../../../layers/api/store/idempotency-records.ts';
import { dynamoVersions } from '../../../layers/deployments/store/versions/versions.ts';
import { dynamoPrompts } from '../../../layers/contents/store/prompts.ts';
import { dynamoResources } from '../../../layers/contents/store/resources.ts';
import { server } from '../../../layers/management/routes/server.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import { editorOf, usersOf } from './dynamodb-fixtures.ts';
import { dyingBefore } from './flaky-dynamo.ts';
import {
  type ApiAnswer,
  answerOf,
  type ApiCall,
  requestOf,
  type TestManagement,
} from '../service/management.ts';

/** The management function on a client of its own; who is signed in is read by a client that lives. */
const onClient = (
  { ports, store }: TestManagement,
  dynamo: DynamoDBDocumentClient,
): ((event: HttpEvent) => Promise<HttpReply>) => {
  const name = store.tableName;
  const users = usersOf(store, dynamo);
  const contents = { content: name('deployment-content'), deployments: name('deployments') };
  return server({
    ...ports,
    deploymentEditor: editorOf(store, dynamo),
    versions: dynamoVersions(dynamo, name('deployment-content'), store.files()),
    idempotencyRecords: dynamoIdempotencyRecords(dynamo, name('limits')),
    grants: dynamoGrants(dynamo, name('oauth'), ports.settings.limits),
    mintedTokens: dynamoMintedTokens(dynamo, name('oauth')),
    users: { ...users, find: ports.users.find },
    resources: dynamoResources(dynamo, contents),
    prompts: dynamoPrompts(dynamo, contents),
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
