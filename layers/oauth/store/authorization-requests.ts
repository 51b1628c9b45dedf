import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type AuthorizationRequest, SCOPES } from '../../tokens/rules/oauth-records.ts';
import type { Random } from '../../platform/system/random.ts';
import { authorizationRequestKey } from '../../platform/dynamodb/keys.ts';
import { claimUpdate, expiring, type Fields, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.pipe(
  z.object({
    clientId: z.string(),
    clientName: z.string(),
    clientAuthMethod: z.exactOptional(z.literal('private_key_jwt')),
    onDevice: z.exactOptional(z.literal(true)),
    redirectUri: z.string(),
    state: z.exactOptional(z.string()),
    codeChallenge: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    slug: z.exactOptional(z.string()),
    expiresAt: z.int(),
    claimedBy: z.exactOptional(z.string()),
  } satisfies Fields<AuthorizationRequest & { claimedBy: string }>),
  z.transform(({ claimedBy, ...request }) => ({ isClaimed: claimedBy !== undefined, request })),
);

/** Authorization requests by the fingerprint of their ticket. One that was taken is not found again. */
export const dynamoAuthorizationRequests = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const items = itemsOf(dynamo, TableName, authorizationRequestKey, Item);

  return {
    put: async (ticket: Fingerprint, request: AuthorizationRequest): Promise<void> => {
      await items.put(ticket, expiring(request));
    },

    /** Not once it was taken. */
    find: async (ticket: Fingerprint): Promise<AuthorizationRequest | undefined> => {
      const found = await items.find(ticket);
      return found?.isClaimed ? undefined : found?.request;
    },

    /** @returns true for exactly one of any number of callers: whoever may act on the ticket */
    take: async (ticket: Fingerprint): Promise<boolean> =>
      (await items.update(ticket, claimUpdate(random.id()))) !== undefined,
  };
};

export type AuthorizationRequests = ReturnType<typeof dynamoAuthorizationRequests>;
