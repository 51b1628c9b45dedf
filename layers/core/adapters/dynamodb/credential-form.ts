import * as z from 'zod/mini';
import type { Credential } from '../../domain/target.ts';

/** A credential as JSON, wherever it is stored or sent. */
export const CredentialForm = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bearer'), token: z.string() }),
  z.object({ type: z.literal('basic'), username: z.string(), password: z.string() }),
  z.object({
    type: z.literal('api_key'),
    name: z.string(),
    in: z.enum(['header', 'query', 'cookie']),
    value: z.string(),
  }),
]) satisfies z.ZodMiniType<Credential>;

/** @returns undefined for anything else; errors of parsers quote what they read, so there are none */
export const credentialFrom = (text: string): Credential | undefined => {
  try {
    return z.safeParse(CredentialForm, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
