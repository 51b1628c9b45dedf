import type { HttpEvent } from './event.ts';
import { type HttpReply, withCookie } from './reply.ts';

export interface Cookie {
  /** Including the prefix. */
  readonly name: string;
  read(event: HttpEvent): string | undefined;
  set(reply: HttpReply, value: string, maxAgeSeconds: number): HttpReply;
  clear(reply: HttpReply): HttpReply;
}

/**
 * @param baseUrl - https adds the prefix `__Host-`, with which browsers accept the cookie only from this host and over
 *   an encrypted connection
 * Source: RFC 6265bis §4.1.3.2.
 */
export const cookie = (name: string, baseUrl: string): Cookie => {
  const secure = baseUrl.startsWith('https:');
  const fullName = secure ? `__Host-${name}` : name;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const start = `${fullName}=`;
  return {
    name: fullName,
    read: ({ cookies = [] }) => cookies.find((one) => one.startsWith(start))?.slice(start.length),
    set: (reply, value, maxAgeSeconds) =>
      withCookie(reply, `${start}${value}; Max-Age=${maxAgeSeconds}; ${attributes}`),
    clear: (reply) => withCookie(reply, `${start}; Max-Age=0; ${attributes}`),
  };
};

/** Session of the pages and the console. Source: docs/decisions/accounts.md, "Sessions". */
export const sessionCookie = (baseUrl: string): Cookie => cookie('mcp-session', baseUrl);
