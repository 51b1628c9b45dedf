import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { invitationsKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';

/** Counted from the latest invitation. Whoever has connected by then has a grant. */
const KEPT_SECONDS = 90 * DAY;
/** Stored invitations per address; further ones are sent, but not stored. */
const MOST = 100;

export interface Invitation {
  readonly slug: string;
  /** Slugs can be reused, ids cannot. */
  readonly deploymentId: string;
}

const entryOf = ({ slug, deploymentId }: Invitation): string => `${slug}#${deploymentId}`;

const invitationOf = (entry: string): Invitation => {
  const at = entry.indexOf('#');
  return { slug: entry.slice(0, at), deploymentId: entry.slice(at + 1) };
};

/** Deployments that an e-mail address was invited to, by its hash. Grants no access: access policies do. */
export const dynamoInvitations = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(
    dynamo,
    TableName,
    invitationsKey,
    z.object({ deployments: z.set(z.string()), deleteAfter: z.int() }),
  );
  return {
    add: async (email: string, invitation: Invitation, now: EpochSeconds): Promise<void> => {
      const entry = entryOf(invitation);
      await items.update(email, {
        UpdateExpression: 'ADD deployments :entries SET deleteAfter = :deleteAfter',
        ConditionExpression:
          'attribute_not_exists(deployments) OR contains(deployments, :entry) OR size(deployments) < :most',
        ExpressionAttributeValues: {
          ':entries': new Set([entry]),
          ':entry': entry,
          ':most': MOST,
          ':deleteAfter': now + KEPT_SECONDS,
        },
      });
    },

    list: async (email: string, now: EpochSeconds): Promise<readonly Invitation[]> => {
      const found = await items.find(email);
      if (!found || now >= found.deleteAfter) return [];
      return [...found.deployments].map(invitationOf);
    },

    forget: (email: string): Promise<void> => items.remove(email),
  };
};

/** Source: docs/decisions/accounts.md, "Invitations". */
export type Invitations = ReturnType<typeof dynamoInvitations>;
