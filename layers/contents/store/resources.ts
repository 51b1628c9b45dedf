import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { AUDIENCES, type Resource, type TemplateVariable } from '../../servers/rules/deployment.ts';
import type { Resources } from '../../ports.ts';
import { resourceUriKey } from '../../platform/dynamodb/keys.ts';
import { getItem } from '../../platform/dynamodb/get-item.ts';
import { type Fields, parseItem } from '../../platform/dynamodb/parse-item.ts';
import { type ContentTables, namedContents } from './named-contents.ts';

const Variable = z.object({
  name: z.string(),
  values: z.array(z.string()),
} satisfies Fields<TemplateVariable>);

const UriItem = z.object({ name: z.string() });

const Item = z.object({
  name: z.string().check(z.minLength(1)),
  uri: z.string(),
  title: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  mimeType: z.exactOptional(z.string()),
  audience: z.exactOptional(z.array(z.enum(AUDIENCES))),
  priority: z.exactOptional(z.number()),
  variables: z.exactOptional(z.array(Variable)),
  updatedAt: z.exactOptional(z.int()),
  content: z.string(),
  encoding: z.enum(['text', 'base64']),
} satisfies Fields<Resource>);

/** A deployment's resources, one item each, and one for each uri. */
export const dynamoResources = (
  dynamo: DynamoDBDocumentClient,
  tables: ContentTables,
): Resources => {
  const resources = namedContents<Resource>(dynamo, tables, {
    kind: 'RES',
    what: 'resource',
    schema: Item,
    textOf: ({ content }) => content,
    completes: ({ variables = [] }) => variables.some(({ values }) => values.length > 0),
  });
  return {
    ...resources,

    findByUri: async (deploymentId, uri) => {
      const item = await getItem(dynamo, tables.content, resourceUriKey(deploymentId, uri));
      if (!item) return undefined;
      const { name } = parseItem(UriItem, item, `a uri of deployment ${deploymentId}`);
      const resource = await resources.find(deploymentId, name);
      // Between the two it may have been given another uri.
      return resource?.uri === uri ? resource : undefined;
    },
  };
};
