import type { HttpEvent } from './event.ts';
import { type HttpReply, withCookie } from './reply.ts';

/** One cookie that only this service's pages send back, and no script reads. */
export interface Cookie {
  /** As it is sent. */
  readonly name: string;
  read(event: HttpEvent): string | undefined;
  set(reply: HttpReply, value: string, maxAgeSeconds: number): HttpReply;
  clear(reply: HttpReply): HttpReply;
}

/**
 * @param baseUrl - on https the name gets the prefix by which browsers make sure that no other host,
 * and no page without encryption, has set it
 *
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

/** The one that says who is signed in at the pages. Source: docs/decisions/accounts.md, "Sessions". */
export const sessionCookie = (baseUrl: string): Cookie => cookie('mcp-session', baseUrl);
