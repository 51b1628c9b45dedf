import * as z from 'zod/mini';
import {
  apart,
  type SentCredential,
  type StoredCredential,
  wholeCredential,
  written,
  type WrittenCredential,
  writtenCredential,
} from '../../target/rules/credential.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/**
 * A credential as JSON, wherever it is stored or sent. One that was stored before credentials had origins is meant for
 * none, until it is set again.
 */
const CredentialSchema = wholeCredential({ origins: z._default(z.array(z.string()), []) });

/** What the router is given. */
export const SentSchema = z.pipe(
  writtenCredential({
    origins: z._default(z.array(z.string()), []),
  }) as unknown as z.ZodMiniType<WrittenCredential>,
  z.transform(apart),
);

/** What is read by `parseSent` again. */
export const sentText = (credential: SentCredential): string => JSON.stringify(written(credential));

/** The same of what the router is given. */
export const parseSent = (text: string): SentCredential | undefined => {
  try {
    return z.safeParse(SentSchema, parsedJson(text)).data;
  } catch {
    return undefined;
  }
};

/** @returns undefined for anything else; errors of parsers quote what they read, so there are none */
export const parseCredential = (text: string): StoredCredential | undefined => {
  try {
    return z.safeParse(CredentialSchema, parsedJson(text)).data;
  } catch {
    return undefined;
  }
};
