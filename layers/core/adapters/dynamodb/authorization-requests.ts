import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type AuthorizationRequest, SCOPES } from '../../domain/oauth/records.ts';
import type { AuthorizationRequests, Mint } from '../../ports.ts';
import { itemsOf, lifetime } from './items.ts';
import { taking } from './taking.ts';

const Item = z.pipe(
  z.object({
    client_id: z.string(),
    client_name: z.string(),
    redirect_uri: z.string(),
    state: z.exactOptional(z.string()),
    challenge: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    slug: z.exactOptional(z.string()),
    valid_until: z.int(),
    taken_by: z.exactOptional(z.string()),
  }),
  z.transform((item) => ({
    taken: item.taken_by !== undefined,
    request: {
      clientId: item.client_id,
      clientName: item.client_name,
      redirectUri: item.redirect_uri,
      ...(item.state !== undefined && { state: item.state }),
      challenge: item.challenge,
      scopes: item.scopes,
      ...(item.slug !== undefined && { slug: item.slug }),
      expiresAt: item.valid_until,
    } satisfies AuthorizationRequest,
  })),
);

/** Authorization requests by the fingerprint of their ticket. One that was taken is not found again. */
export const dynamoAuthorizationRequests = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  mint: Mint,
): AuthorizationRequests => {
  const items = itemsOf(dynamo, TableName, 'AUTHREQ', Item);

  return {
    put: async (ticket, request) => {
      await items.put(ticket, {
        client_id: request.clientId,
        client_name: request.clientName,
        redirect_uri: request.redirectUri,
        state: request.state,
        challenge: request.challenge,
        scopes: request.scopes,
        slug: request.slug,
        ...lifetime(request.expiresAt),
      });
    },

    find: async (ticket) => {
      const found = await items.find(ticket);
      return found?.taken ? undefined : found?.request;
    },

    take: async (ticket) => (await items.update(ticket, taking(mint.id()))) !== undefined,
  };
};
