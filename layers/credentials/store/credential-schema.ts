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

/** Stored credential as JSON. One from before there were origins has none, and goes nowhere until it is set again. */
const CredentialSchema = wholeCredential({ origins: z._default(z.array(z.string()), []) });

export const SentSchema = z.pipe(
  writtenCredential({
    origins: z._default(z.array(z.string()), []),
  }) as unknown as z.ZodMiniType<WrittenCredential>,
  z.transform(apart),
);

export const sentText = (credential: SentCredential): string => JSON.stringify(written(credential));

export const parseSent = (text: string): SentCredential | undefined => {
  try {
    return z.safeParse(SentSchema, parsedJson(text)).data;
  } catch {
    return undefined;
  }
};

/** @returns undefined for anything else: a parser's error would quote the secret */
export const parseCredential = (text: string): StoredCredential | undefined => {
  try {
    return z.safeParse(CredentialSchema, parsedJson(text)).data;
  } catch {
    return undefined;
  }
};
