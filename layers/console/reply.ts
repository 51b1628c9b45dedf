import { gunzipSync } from 'node:zlib';
import type { HttpEvent } from '../platform/http/event.ts';
import type { HttpReply } from '../platform/http/reply.ts';
import type { ConsoleAssets } from './assets.ts';

type Asset = ConsoleAssets['page'];

/**
 * Scripts and styles are files of this origin, none is inline, and no text becomes a script (Trusted Types). The
 * console connects to this origin only, and no page may frame it. `blob:` media: audio in the answer to a trial of a
 * tool. The page where a person chats with a model may also connect to the one host of that model's vendor.
 * @param host - origin of the model's vendor
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
  // URLs of the console contain server names, which other sites must not learn.
  'referrer-policy': 'no-referrer',
  // Browsers ignore it over http, as in a local run. Source: RFC 6797 §8.1.
  'strict-transport-security': 'max-age=31536000',
  'x-frame-options': 'DENY',
} as const;

/** HTML page, revalidated on each load. @param host - origin that it may connect to besides its own */
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

/** An asset whose file name contains a hash of its content, so that it can be cached forever. */
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

/** Smallest encoding that the client accepts. Source: RFC 9110 §12.5.3. */
const encodingFor = (accepted: string): 'br' | 'gzip' | undefined => {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .filter(([, quality]) => quality === undefined || !/^q=0(\.0*)?$/.test(quality))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((name) => taken.includes(name));
};
