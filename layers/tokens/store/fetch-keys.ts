import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import { NoAnswer, type TargetAnswer } from '../../target/rules/target.ts';
import { MINUTE } from '../../platform/rules/time.ts';
import type { Jwk } from '../rules/signing-keys.ts';
import type { Web } from '../../target/client/web.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

const LIMITS = { maxBytes: 64 * 1024, timeoutSeconds: 5 } as const;

/** Bounds for the cache time that the issuer sends; the minimum if it sends none. */
const MIN_KEEP_SECONDS = 5 * MINUTE;
const MAX_KEEP_SECONDS = 15 * MINUTE;

const KeySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/** @throws Fault. Source: RFC 7517 §5. */
export const fetchKeys = async (web: Web, jwksUri: string) => {
  const { status, headers, body } = await web.fetch(jwksUri, LIMITS).catch(unreachable);
  if (status !== 200) throw unusable(`status ${status}`);
  return { keys: keysIn(body), keepSeconds: keepSecondsOf(headers) };
};

const keysIn = (body: Uint8Array): readonly Jwk[] => {
  let sent: unknown;
  try {
    sent = parsedJson(Buffer.from(body).toString());
  } catch {
    throw unusable('no JSON');
  }
  const read = z.safeParse(KeySet, sent);
  if (!read.success) throw unusable('no key set');
  return read.data.keys;
};

const MAX_AGE = /(?:^|[\s,])max-age="?(\d+)/i;

const keepSecondsOf = ({ 'cache-control': cacheControl = '' }: TargetAnswer['headers']): number => {
  const seconds = Number(MAX_AGE.exec(cacheControl)?.[1] ?? 0);
  return Math.min(Math.max(seconds, MIN_KEEP_SECONDS), MAX_KEEP_SECONDS);
};

const unreachable = (error: unknown): never => {
  throw error instanceof NoAnswer ? unusable(error.reason, error) : error;
};

const unusable = (what: string, cause?: unknown) =>
  new Fault('web', `the keys of an issuer cannot be had: ${what}`, cause);
