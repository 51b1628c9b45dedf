import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type OAuthClient, SCOPES } from '../../tokens/rules/oauth-records.ts';
import type { Clock } from '../../platform/system/clock.ts';
import { clientKey } from '../../platform/dynamodb/keys.ts';
import { FingerprintText } from '../../platform/rules/fingerprint.ts';
import { assigning, expiring, itemsOf } from '../../platform/dynamodb/items.ts';

/** For registrations stored before registrations expired. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Attributes are named as the client metadata of RFC 7591 §2. */
const Item = z.pipe(
  z.object({
    clientId: z.string().check(z.minLength(1)),
    source: z.enum(['registration', 'metadata_document']),
    clientName: z.string(),
    redirectUris: z.array(z.string()),
    tokenEndpointAuthMethod: z.enum([
      'client_secret_post',
      'client_secret_basic',
      'private_key_jwt',
      'none',
    ]),
    clientSecretHash: z.exactOptional(FingerprintText),
    jwksUri: z.exactOptional(z.string()),
    jwks: z.exactOptional(z.array(z.record(z.string(), z.unknown()))),
    scopes: z.array(z.enum(SCOPES)),
    withoutRefresh: z.exactOptional(z.literal(true)),
    createdAt: z.int(),
    expiresAt: z._default(z.int(), NEVER),
  }),
  z.transform((item): OAuthClient => ({
    id: item.clientId,
    source: item.source,
    name: item.clientName,
    redirectUris: item.redirectUris,
    authMethod: item.tokenEndpointAuthMethod,
    ...(item.clientSecretHash !== undefined && { secret: item.clientSecretHash }),
    ...(item.jwksUri !== undefined && { keys: { uri: item.jwksUri } }),
    ...(item.jwks !== undefined && { keys: { list: item.jwks } }),
    scopes: item.scopes,
    ...(item.withoutRefresh && { withoutRefresh: item.withoutRefresh }),
    createdAt: item.createdAt,
    expiresAt: item.expiresAt,
  })),
);

const attributesOf = ({ id, name, authMethod, secret, keys, ...client }: OAuthClient) => ({
  ...client,
  clientId: id,
  clientName: name,
  tokenEndpointAuthMethod: authMethod,
  clientSecretHash: secret,
  jwksUri: keys && 'uri' in keys ? keys.uri : undefined,
  jwks: keys && 'list' in keys ? keys.list : undefined,
});

/** Registered clients, and cached metadata documents. */
export const dynamoClients = (dynamo: DynamoDBDocumentClient, TableName: string, clock: Clock) => {
  const items = itemsOf(dynamo, TableName, clientKey, Item);

  return {
    /** Undefined for an expired client. */
    find: async (id: string): Promise<OAuthClient | undefined> => {
      const found = await items.find(id);
      return found && clock.now() < found.expiresAt ? found : undefined;
    },

    put: async (client: OAuthClient): Promise<void> => {
      await items.put(client.id, expiring(attributesOf(client)));
    },

    remove: (id: string): Promise<void> => items.remove(id),

    /** Does nothing if the client is gone, or lasts longer. */
    prolong: async (id: string, expiresAt: EpochSeconds): Promise<void> => {
      // `attribute_exists` keeps the update from creating half a client after a deletion.
      const ConditionExpression = 'attribute_exists(pk) AND expiresAt < :expiresAt';
      await items.update(id, assigning(expiring({ expiresAt }), { ConditionExpression }));
    },
  };
};

/** Table `oauth`. Reads are strongly consistent; single-item conditional writes only. */
export type Clients = ReturnType<typeof dynamoClients>;
