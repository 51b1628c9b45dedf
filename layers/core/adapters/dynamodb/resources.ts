import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Resource } from '../../domain/deployment.ts';
import type { Resources } from '../../ports.ts';
import { contentItems } from './content-list.ts';
import { dynamoFault } from './faults.ts';
import { stored } from './stored.ts';

const Item = z.pipe(
  z.object({
    name: z.string().check(z.minLength(1)),
    uri: z.string(),
    title: z.exactOptional(z.string()),
    description: z.exactOptional(z.string()),
    mime_type: z.exactOptional(z.string()),
    content: z.string(),
    encoding: z.enum(['text', 'base64']),
  }),
  z.transform(({ mime_type, ...item }): Resource =>
    mime_type === undefined ? item : { ...item, mimeType: mime_type },
  ),
);

/** A deployment's resources, one item each. */
export const dynamoResources = (dynamo: DynamoDBDocumentClient, TableName: string): Resources => ({
  list: async (deploymentId) => {
    const items = await contentItems(dynamo, TableName, deploymentId, 'RES#');
    return items.map((item) => stored(Item, item, `a resource of deployment ${deploymentId}`));
  },

  put: async (deploymentId, { mimeType, ...resource }) => {
    const key = { pk: `DEP#${deploymentId}`, sk: `RES#${resource.name}` };
    const Item = { ...key, ...resource, mime_type: mimeType };
    await dynamo.send(new PutCommand({ TableName, Item })).catch(dynamoFault);
  },
});
