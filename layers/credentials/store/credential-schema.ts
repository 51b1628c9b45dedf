import * as z from 'zod/mini';
import type { StoredCredential } from '../../target/rules/target.ts';

/** One that was stored before credentials had origins is meant for none, until it is set again. */
const origins = z._default(z.array(z.string()), []);

/** A credential as JSON, wherever it is stored or sent. */
export const CredentialSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bearer'), token: z.string(), origins }),
  z.object({ type: z.literal('basic'), username: z.string(), password: z.string(), origins }),
  z.object({
    type: z.literal('api_key'),
    name: z.string(),
    in: z.enum(['header', 'query', 'cookie']),
    value: z.string(),
    origins,
  }),
]) satisfies z.ZodMiniType<StoredCredential>;

/** @returns undefined for anything else; errors of parsers quote what they read, so there are none */
export const parseCredential = (text: string): StoredCredential | undefined => {
  try {
    return z.safeParse(CredentialSchema, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
