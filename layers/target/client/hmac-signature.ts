import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { HmacKey } from '../rules/credential.ts';
import { filled, type HmacPart } from '../rules/hmac.ts';
import type { Hop } from './exchange.ts';

/**
 * Signs a request by its owner's recipe: an HMAC over a template of its parts, sent in headers that are templates,
 * too.
 * @param now - milliseconds since 1970. Source: RFC 2104; docs/decisions/credentials.md, "Signatures by a recipe".
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
    // Latin-1 maps each byte to one character, so that any body survives.
    body: bytes.toString('latin1'),
    body_hash: createHash(algorithm).update(bytes).digest(encoding),
    timestamp: String(Math.floor(now / 1000)),
    timestamp_ms: String(now),
    date: new Date(now).toISOString(),
    nonce: randomUUID(),
    key_id: keyId,
  };
  // Templates are UTF-8 text, into which the parts are put byte by byte.
  const message = filled(Buffer.from(signed).toString('latin1'), parts);
  const signature = createHmac(algorithm, secret).update(message, 'latin1').digest(encoding);
  const values = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    filled(value, { ...parts, signature }),
  ]);
  return { ...hop, headers: { ...hop.headers, ...Object.fromEntries(values) } };
};
