import { gunzipSync } from 'node:zlib';
import type { HttpEvent } from '../platform/http/event.ts';
import type { HttpReply } from '../platform/http/reply.ts';
import type { ConsoleAssets } from './assets.ts';

type Asset = ConsoleAssets['page'];

/**
 * Scripts and styles are files of this origin, none stands in the page, and no text becomes a script
 * (Trusted Types). The console talks to this origin only, and no other page may frame it. Sound is played from
 * what the page itself holds: the answer to a trial of a tool. The page where somebody talks with a model may send to
 * the one host of its vendor besides.
 *
 * @param host - an origin
 *
 * Source: CSP Level 3; Trusted Types; docs/decisions/management.md, "The console".
 */
const contentSecurityPolicy = (host?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${host === undefined ? '' : ` ${host}`}`,
    "img-src 'self' data:",
    'media-src blob:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), clipboard-write=(self), geolocation=(), microphone=(), payment=(), usb=()',
  // The addresses of pages name servers: nobody else is told them.
  'referrer-policy': 'no-referrer',
  // Browsers take no notice of it over http, as on one's own machine. Source: RFC 6797 §8.1.
  'strict-transport-security': 'max-age=31536000',
  'x-frame-options': 'DENY',
} as const;

/**
 * The page, asked for anew each time: what it names is never stale.
 *
 * @param host - an origin that it may send to besides its own
 */
export const pageReply = (event: HttpEvent, page: Asset, host?: string): HttpReply => {
  const headers = {
    'content-security-policy': contentSecurityPolicy(host),
    ...PAGE_HEADERS,
    'cache-control': 'no-cache',
    etag: page.etag,
  };
  if (event.headers['if-none-match'] === page.etag) {
    return { statusCode: 304, headers, body: '', isBase64Encoded: false };
  }
  return packed(event, page, headers);
};

/** A file whose name holds a hash of its content. */
export const assetReply = (event: HttpEvent, asset: Asset): HttpReply =>
  packed(event, asset, {
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
  });

const packed = (
  event: HttpEvent,
  asset: Asset,
  headers: Readonly<Record<string, string>>,
): HttpReply => {
  const encoding = encodingFor(event.headers['accept-encoding'] ?? '');
  return {
    statusCode: 200,
    headers: {
      ...headers,
      'content-type': asset.mediaType,
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    },
    body: encoding ? asset[encoding] : gunzipSync(Buffer.from(asset.gzip, 'base64')).toString(),
    isBase64Encoded: encoding !== undefined,
  };
};

/** Of what the client takes, what is smallest. Source: RFC 9110 §12.5.3. */
const encodingFor = (accepted: string): 'br' | 'gzip' | undefined => {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .filter(([, quality]) => quality === undefined || !/^q=0(\.0*)?$/.test(quality))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((name) => taken.includes(name));
};
