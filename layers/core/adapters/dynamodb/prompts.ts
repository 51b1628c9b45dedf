import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Prompt, PromptArgument } from '../../domain/deployment.ts';
import type { Prompts } from '../../ports.ts';
import { contentItems } from './content-list.ts';
import { dynamoFault } from './faults.ts';
import { stored } from './stored.ts';

const Argument = z.object({
  name: z.string().check(z.minLength(1)),
  required: z.boolean(),
  description: z.exactOptional(z.string()),
}) satisfies z.ZodMiniType<PromptArgument>;

const Item = z.object({
  name: z.string().check(z.minLength(1)),
  title: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  arguments: z.array(Argument),
  template: z.string(),
}) satisfies z.ZodMiniType<Prompt>;

/** A deployment's prompts, one item each. */
export const dynamoPrompts = (dynamo: DynamoDBDocumentClient, TableName: string): Prompts => ({
  list: async (deploymentId) => {
    const items = await contentItems(dynamo, TableName, deploymentId, 'PROMPT#');
    return items.map((item) => stored(Item, item, `a prompt of deployment ${deploymentId}`));
  },

  find: async (deploymentId, name) => {
    const Key = promptKey(deploymentId, name);
    const found = await dynamo
      .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      .catch(dynamoFault);
    return found.Item && stored(Item, found.Item, `prompt ${name} of deployment ${deploymentId}`);
  },

  put: async (deploymentId, prompt) => {
    const Item = { ...promptKey(deploymentId, prompt.name), ...prompt };
    await dynamo.send(new PutCommand({ TableName, Item })).catch(dynamoFault);
  },
});

const promptKey = (deploymentId: string, name: string) => ({
  pk: `DEP#${deploymentId}`,
  sk: `PROMPT#${name}`,
});
