import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Resource } from '../rules/contents.ts';
import type { Resources } from '../rules/named-contents.ts';
import { resourceUriKey } from '../../platform/dynamodb/keys.ts';
import { getItem, parseItem } from '../../platform/dynamodb/items.ts';
import { storedOf } from '../../platform/rules/shape.ts';
import { type ContentTables, namedContents } from './named-contents.ts';

const UriItem = z.object({ name: z.string() });

/** One item for each resource, and one for each uri. */
export const dynamoResources = (
  dynamo: DynamoDBDocumentClient,
  tables: ContentTables,
): Resources => {
  const resources = namedContents<Resource>(dynamo, tables, {
    kind: 'RES',
    what: 'resource',
    schema: storedOf(Resource),
    countedText: ({ content }) => content,
    completes: ({ variables = [] }) => variables.some(({ values }) => values.length > 0),
  });
  return {
    ...resources,

    findByUri: async (deploymentId, uri) => {
      const item = await getItem(dynamo, tables.content, resourceUriKey(deploymentId, uri));
      if (!item) return undefined;
      const { name } = parseItem(UriItem, item, `a uri of deployment ${deploymentId}`);
      const resource = await resources.find(deploymentId, name);
      // The resource may have got another uri between the two reads.
      return resource?.uri === uri ? resource : undefined;
    },
  };
};
