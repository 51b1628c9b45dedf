import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { HmacKey } from '../rules/credential.ts';
import { filled, type HmacPart } from '../rules/hmac.ts';
import type { Hop } from './exchange.ts';

/**
 * The same request with a signature by the recipe of its owner, over its finished bytes: an HMAC of a template of its
 * parts, in headers that are templates as well.
 *
 * @param now - milliseconds since 1970
 * Source: RFC 2104; docs/decisions/credentials.md, "Signatures by a recipe".
 */
export const hmacHop = (hop: Hop, key: HmacKey, now: number): Hop => {
  const { algorithm, encoding = 'hex', signed, headers, secret, keyId = '' } = key;
  const { method, url, body = '' } = hop;
  const bytes = Buffer.from(body);
  const query = url.search.slice(1);
  const parts: Readonly<Record<HmacPart, string>> = {
    method,
    host: url.host,
    path: url.pathname,
    query,
    target: url.pathname + url.search,
    // Byte for byte: what is no UTF-8 is one character each.
    body: bytes.toString('latin1'),
    body_hash: createHash(algorithm).update(bytes).digest(encoding),
    timestamp: String(Math.floor(now / 1000)),
    timestamp_ms: String(now),
    date: new Date(now).toISOString(),
    nonce: randomUUID(),
    key_id: keyId,
  };
  // Templates are texts of their own, which parts of other bytes are put into.
  const message = filled(Buffer.from(signed).toString('latin1'), parts);
  const signature = createHmac(algorithm, secret).update(message, 'latin1').digest(encoding);
  const values = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    filled(value, { ...parts, signature }),
  ]);
  return { ...hop, headers: { ...hop.headers, ...Object.fromEntries(values) } };
};
