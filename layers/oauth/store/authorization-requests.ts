import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type AuthorizationRequest, Decision, SCOPES } from '../../tokens/rules/oauth-records.ts';
import { authorizationRequestKey } from '../../platform/dynamodb/keys.ts';
import { assigning, expiring, type Fields, itemsOf } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

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
    withoutRefresh: z.exactOptional(z.literal(true)),
    offlineAccess: z.exactOptional(z.literal(true)),
    nonce: z.exactOptional(z.string()),
    slug: z.exactOptional(z.string()),
    expiresAt: z.int(),
    claimedBy: z.exactOptional(z.string()),
    decided: z.exactOptional(Decision),
  } satisfies Fields<AuthorizationRequest & { claimedBy: string; decided: Decision }>),
  z.transform(({ claimedBy, decided, ...request }): FoundRequest => ({
    request,
    isAnswered: claimedBy !== undefined,
    ...(decided && { decided }),
  })),
);

export interface FoundRequest {
  readonly request: AuthorizationRequest;
  readonly isAnswered: boolean;
  /** The answer; absent where a former version of the service stored it. */
  readonly decided?: Decision;
}

/** Authorization requests by the fingerprint of their ticket; each is answered once. */
export const dynamoAuthorizationRequests = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, authorizationRequestKey, Item);

  return {
    put: async (ticket: Fingerprint, request: AuthorizationRequest): Promise<void> => {
      await items.put(ticket, expiring(request));
    },

    find: items.find,

    /** Committed together with the code. The condition lets exactly one of several answers pass. */
    answering: (ticket: Fingerprint, decided: Decision): Write =>
      items.changing(
        ticket,
        assigning(
          // Former versions treat requests with this attribute as answered.
          { claimedBy: decided.seed, decided },
          { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(claimedBy)' },
        ),
      ),
  };
};

export type AuthorizationRequests = ReturnType<typeof dynamoAuthorizationRequests>;
