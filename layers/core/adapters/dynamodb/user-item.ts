import * as z from 'zod/mini';
import type { User } from '../../domain/accounts/user.ts';

const Stored = z.pipe(
  z.object({
    id: z.string().check(z.minLength(1)),
    email: z.string().check(z.minLength(1)),
    email_verified: z.boolean(),
    name: z.exactOptional(z.string()),
    plan: z.enum(['free', 'pro']),
    password_hash: z.string(),
    signed_out_at: z.int(),
    created_at: z.int(),
    revision: z.int(),
  }),
  z.transform((item): User => ({
    id: item.id,
    email: item.email,
    emailVerified: item.email_verified,
    ...(item.name !== undefined && { name: item.name }),
    plan: item.plan,
    passwordHash: item.password_hash,
    signedOutAt: item.signed_out_at,
    createdAt: item.created_at,
    revision: item.revision,
  })),
);

/** In place of a user whose e-mail somebody else was given before it was stored: it never will be. */
const Abandoned = z.pipe(
  z.object({ abandoned: z.literal(true) }),
  z.transform(() => undefined),
);

export const UserItem = z.union([Stored, Abandoned]);

/** An e-mail's user. */
export const Pointer = z.object({ user_id: z.string().check(z.minLength(1)) });

export const userAttributes = (user: User) => ({
  id: user.id,
  email: user.email,
  email_verified: user.emailVerified,
  name: user.name,
  plan: user.plan,
  password_hash: user.passwordHash,
  signed_out_at: user.signedOutAt,
  created_at: user.createdAt,
  revision: user.revision,
});
