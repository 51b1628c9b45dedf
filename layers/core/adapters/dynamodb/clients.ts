import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Fingerprint, type OAuthClient, SCOPES } from '../../domain/oauth/records.ts';
import type { Clients, Clock } from '../../ports.ts';
import { fingerprintText } from './grant-attributes.ts';
import { itemsOf, lifetime } from './items.ts';

const Item = z.pipe(
  z.object({
    id: z.string().check(z.minLength(1)),
    source: z.enum(['registration', 'metadata_document']),
    name: z.string(),
    redirect_uris: z.array(z.string()),
    auth_method: z.enum(['client_secret_post', 'client_secret_basic', 'none']),
    secret: z.exactOptional(fingerprintText),
    scopes: z.array(z.enum(SCOPES)),
    created_at: z.int(),
    valid_until: z.exactOptional(z.int()),
  }),
  z.transform(({ valid_until: validUntil = Infinity, ...item }) => ({
    validUntil,
    client: {
      id: item.id,
      source: item.source,
      name: item.name,
      redirectUris: item.redirect_uris,
      authMethod: item.auth_method,
      ...(item.secret !== undefined && { secret: item.secret as Fingerprint }),
      scopes: item.scopes,
      createdAt: item.created_at,
    } satisfies OAuthClient,
  })),
);

/** Registered clients, and metadata documents as long as they may be kept. */
export const dynamoClients = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  clock: Clock,
): Clients => {
  const items = itemsOf(dynamo, TableName, 'CLIENT', Item);

  return {
    find: async (id) => {
      const found = await items.find(id);
      return found && clock.now() < found.validUntil ? found.client : undefined;
    },

    put: async (client, expiresAt) => {
      await items.put(client.id, {
        id: client.id,
        source: client.source,
        name: client.name,
        redirect_uris: client.redirectUris,
        auth_method: client.authMethod,
        secret: client.secret,
        scopes: client.scopes,
        created_at: client.createdAt,
        ...(expiresAt !== undefined && lifetime(expiresAt)),
      });
    },
  };
};
