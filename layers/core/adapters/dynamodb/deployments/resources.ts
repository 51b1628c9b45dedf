import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { AUDIENCES, type Resource } from '../../../domain/deployments/deployment.ts';
import type { Resources } from '../../../ports.ts';
import type { Fields } from '../table/parse-item.ts';
import { namedContents } from './named-contents.ts';

const Item = z.object({
  name: z.string().check(z.minLength(1)),
  uri: z.string(),
  title: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  mimeType: z.exactOptional(z.string()),
  audience: z.exactOptional(z.array(z.enum(AUDIENCES))),
  priority: z.exactOptional(z.number()),
  updatedAt: z.exactOptional(z.int()),
  content: z.string(),
  encoding: z.enum(['text', 'base64']),
} satisfies Fields<Resource>);

/** A deployment's resources, one item each. */
export const dynamoResources = (dynamo: DynamoDBDocumentClient, TableName: string): Resources =>
  namedContents<Resource>(dynamo, TableName, {
    kind: 'RES',
    what: 'resource',
    schema: Item,
    textOf: ({ content }) => content,
  });
