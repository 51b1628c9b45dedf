import * as z from 'zod/mini';
import { type Grant, SCOPES } from '../../domain/oauth/records.ts';

/** A grant as it stands in its own item and within its code's. */
export const GrantAttributes = z.object({
  id: z.string().check(z.minLength(1)),
  user_id: z.string().check(z.minLength(1)),
  email: z.string(),
  plan: z.enum(['free', 'pro']),
  client_id: z.string(),
  client_name: z.string(),
  deployment_id: z.string().check(z.minLength(1)),
  slug: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: z.int(),
});

/** What a fingerprint looks like; the domain makes them. */
export const fingerprintText = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const grantFrom = (stored: z.output<typeof GrantAttributes>): Grant => ({
  id: stored.id,
  userId: stored.user_id,
  email: stored.email,
  plan: stored.plan,
  clientId: stored.client_id,
  clientName: stored.client_name,
  deploymentId: stored.deployment_id,
  slug: stored.slug,
  scopes: stored.scopes,
  createdAt: stored.created_at,
});

export const grantAttributes = (grant: Grant): z.input<typeof GrantAttributes> => ({
  id: grant.id,
  user_id: grant.userId,
  email: grant.email,
  plan: grant.plan,
  client_id: grant.clientId,
  client_name: grant.clientName,
  deployment_id: grant.deploymentId,
  slug: grant.slug,
  scopes: [...grant.scopes],
  created_at: grant.createdAt,
});
