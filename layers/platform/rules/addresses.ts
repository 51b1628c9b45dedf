import * as z from 'zod/mini';
import { ApiRefusal } from './refusal/api-refusal.ts';
import type { ValueOf } from './shape.ts';
import { trimmed, withoutMarks } from './text.ts';
import { DAY, type EpochSeconds } from './time.ts';

/**
 * Addresses of a deployment, derived from the configured base URL and never from the `Host` header, so that they are
 * identical everywhere, byte by byte.
 * Source: docs/decisions/mcp.md, "Base URL"; docs/decisions/oauth.md, "Metadata routes".
 */
export interface RouterAddresses {
  readonly base: string;
  readonly messages: string;
  readonly health: string;
  readonly docs: string;
}

/** @param baseUrl - ends in `/v1` */
export const routerAddresses = (baseUrl: string, slug: string): RouterAddresses => {
  const base = `${baseUrl}/mcp-router/${slug}`;
  return { base, messages: `${base}/messages`, health: `${base}/health`, docs: `${base}/docs` };
};

/** Names of a deployment in audiences. Source: docs/decisions/oauth.md, "One resource, three names". */
export const resourceNames = (baseUrl: string, slug: string): readonly string[] => {
  const { base, messages } = routerAddresses(baseUrl, slug);
  return [base, `${base}/`, messages, `${messages}/`];
};

/** Issuer, and the prefix of its endpoints. */
export const authorizationServer = (baseUrl: string): string => `${baseUrl}/mcp-oauth-server`;

export const consolePages = (baseUrl: string): string => `${baseUrl}/console/`;

export const management = (baseUrl: string): string => `${baseUrl}/mcp-management`;

/** Which of a deployment's two names a client used: that of the messages endpoint, or the base. */
export type ResourceForm = 'messages' | 'base';

/** Longer than any suffix of addresses that clients are given. */
const MAX_ENDING = 500;

/** Whether the text can be part of a quoted string in a header without escapes. Source: RFC 9110 §5.6.4. */
const isQuotable = (text: string): boolean =>
  [...text].every((one) => one > ' ' && one <= '~' && one !== '"' && one !== '\\');

/**
 * Slash and query at the end of the address that a client called. They do not change the resource, but clients compare
 * its address as text with the one that they were given.
 * @returns empty if there is none, or if it is too long, not quotable in a header, or contains a secret
 * Source: RFC 9728 §3.3.
 */
export const endingOf = ({
  rawPath,
  rawQueryString = '',
}: {
  readonly rawPath: string;
  readonly rawQueryString?: string | undefined;
}): string => {
  const ending = `${rawPath.endsWith('/') ? '/' : ''}${rawQueryString === '' ? '' : `?${rawQueryString}`}`;
  const names = [...new URLSearchParams(rawQueryString).keys()];
  const isSecret = names.some((name) => OF_SECRETS.test(name));
  return ending.length <= MAX_ENDING && isQuotable(ending) && !isSecret ? ending : '';
};

/** Names of secrets that some clients put into queries against all advice; these must not appear in other addresses. */
const OF_SECRETS =
  /assertion|authorization|code|cookie|credential|key|pass|pwd|secret|session|sig|token|verifier/i;

/**
 * Address of the protected-resource metadata, at the path where clients look for it.
 * @param ending - slash and query of the address that was called
 * Source: RFC 9728 §3.1; docs/decisions/oauth.md, "Metadata routes".
 */
export const resourceMetadataUrl = (
  baseUrl: string,
  slug: string,
  form: ResourceForm,
  ending = '',
): string => {
  const { origin, pathname } = new URL(routerAddresses(baseUrl, slug)[form]);
  return `${origin}/.well-known/oauth-protected-resource${pathname}${ending}`;
};

const SLUG = /^[a-z][a-z0-9-]{2,62}$/;
const MAX_LENGTH = 63;

/** Source: docs/decisions/management.md, "Slugs". */
export const isSlug = (text: string): boolean => SLUG.test(text);

/** @throws ApiRefusal that explains the form of slugs */
export const checkSlug = (text: string): void => {
  if (isSlug(text)) return;
  throw new ApiRefusal('invalid_request', `The slug "${text.slice(0, 80)}" cannot be used.`, {
    where: '/slug',
    what: 'not a slug',
    hint: 'Use 3 to 63 of a-z, 0-9 and -, starting with a letter.',
  });
};

/** Valid slug from a description's title; it may be taken. */
export const slugFromTitle = (title: string): string => {
  const words = withoutMarks(title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const named = trimDashes(words);
  const lettered = /^[a-z]/.test(named) ? named : `api-${named}`;
  const cut = trimDashes(lettered.slice(0, MAX_LENGTH));
  return cut.length < 3 ? `${cut}-api` : cut;
};

export const slugWithEnding = (slug: string, ending: string): string =>
  `${trimDashes(slug.slice(0, MAX_LENGTH - ending.length - 1))}-${ending}`;

const trimDashes = (text: string): string => trimmed(text, /-/);

/**
 * Reserves the slug of a removed deployment for its former owner: clients that still call it must not reach a server of
 * somebody else. A reservation of a removed account blocks everybody, since account ids are not reused.
 * Source: docs/decisions/management.md, "Slugs".
 */
export const SlugReservation = z.object({
  slug: z.string(),
  /** Former owner, whose account may be removed. */
  ownerId: z.string(),
  expiresAt: z.int(),
});
export type SlugReservation = ValueOf<typeof SlugReservation>;

const RESERVED_SECONDS = 90 * DAY;

export const reservationOf = (
  { slug, ownerId }: Pick<SlugReservation, 'slug' | 'ownerId'>,
  removedAt: EpochSeconds,
): SlugReservation => ({ slug, ownerId, expiresAt: removedAt + RESERVED_SECONDS });

/** Whether the reservation keeps this owner from using the slug. */
export const isReservedFrom = (
  ownerId: string,
  reservation: SlugReservation | undefined,
  now: EpochSeconds,
): reservation is SlugReservation =>
  reservation !== undefined && reservation.ownerId !== ownerId && now < reservation.expiresAt;
