import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Resource } from '../../domain/deployment.ts';
import type { Resources } from '../../ports.ts';
import { namedContents } from './named-contents.ts';

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
export const dynamoResources = (dynamo: DynamoDBDocumentClient, TableName: string): Resources =>
  namedContents<Resource>(dynamo, TableName, {
    prefix: 'RES',
    what: 'resource',
    schema: Item,
    itemOf: ({ mimeType, ...resource }) => ({ ...resource, mime_type: mimeType }),
    takes: ({ uri, content }) => ({
      uri: createHash('sha256').update(uri).digest('hex'),
      bytes: Buffer.byteLength(content),
    }),
  });
