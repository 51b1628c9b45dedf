import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { CredentialSource } from '../../target/rules/credential.ts';
import type { CredentialRef, CredentialUse } from './credential-access.ts';
import { credentialRef } from './deployment-credential.ts';

export interface Retrieval {
  readonly ref: CredentialRef;
  readonly use: CredentialUse;
  readonly instance: string;
}

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));

/** Keys of tables and names of secrets are made of these members, so their characters are limited. */
export const retrievalMembers = {
  deployment_id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  owner_id: text(128),
  /** First owner of the deployment; absent if that is still the owner. */
  sealed_for: z.exactOptional(text(128)),
  version: z.string().check(z.regex(/^[\w-]{32,64}$/)),
  instance: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  caller: z.strictObject({
    user: text(4096),
    ip: text(64),
    user_agent: z.exactOptional(z.string()),
    request_id: text(256),
  }),
};

type RetrievalMembers = ValueOf<z.ZodMiniObject<typeof retrievalMembers>>;

export const retrievalEvent = ({ ref, use, instance }: Retrieval): RetrievalMembers => ({
  deployment_id: ref.deploymentId,
  owner_id: ref.ownerId,
  ...(ref.sealedFor !== ref.ownerId && { sealed_for: ref.sealedFor }),
  version: ref.version,
  instance,
  caller: {
    user: use.user,
    ip: use.ip,
    ...(use.userAgent !== undefined && { user_agent: use.userAgent }),
    request_id: use.requestId,
  },
});

export const retrievalOf = (
  {
    deployment_id: id,
    owner_id: ownerId,
    sealed_for: sealedFor,
    version,
    ...rest
  }: RetrievalMembers,
  name: string,
  from: CredentialSource,
): Retrieval => ({
  ref: credentialRef({ id, ownerId, sealedFor }, { name, from, version }),
  use: {
    user: rest.caller.user,
    ip: rest.caller.ip,
    userAgent: rest.caller.user_agent,
    requestId: rest.caller.request_id,
  },
  instance: rest.instance,
});

/** @param what - for the error message @throws Error that names the wrong members, but no value */
export const readEvent = <Value>(
  schema: z.ZodMiniType<Value>,
  event: unknown,
  what: string,
): Value => {
  const { success, data, error } = z.safeParse(schema, event);
  if (success) return data;
  const where = error.issues.map(({ path }) => path.join('.') || 'the event').join(', ');
  throw new Error(`not ${what}: ${where}`);
};
