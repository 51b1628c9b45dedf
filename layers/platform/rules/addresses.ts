import * as z from 'zod/mini';
import { ApiRefusal } from './refusal/api-refusal.ts';
import type { ValueOf } from './shape.ts';
import { trimmed, withoutMarks } from './text.ts';
import { DAY, type EpochSeconds } from './time.ts';

/**
 * Every address that appears in a document, made from the configured base URL and never from the
 * `Host` header, so that it is the same, byte for byte, wherever it appears.
 *
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

/**
 * The names of the one resource that a deployment is, for audiences to be compared with.
 * Source: docs/decisions/oauth.md, "One resource, three names".
 */
export const resourceNames = (baseUrl: string, slug: string): readonly string[] => {
  const { base, messages } = routerAddresses(baseUrl, slug);
  return [base, `${base}/`, messages, `${messages}/`];
};

/** The issuer, and what its endpoints begin with. */
export const authorizationServer = (baseUrl: string): string => `${baseUrl}/mcp-oauth-server`;

export const consolePages = (baseUrl: string): string => `${baseUrl}/console/`;

export const management = (baseUrl: string): string => `${baseUrl}/mcp-management`;

/** Which of a deployment's two names a client used: its messages endpoint, or the rest. */
export type ResourceForm = 'messages' | 'base';

/** Longer than what clients are given as a server's address. */
const MAX_ENDING = 500;

/** Whether a quoted string of a header holds it as it is. Source: RFC 9110 §5.6.4. */
const isQuotable = (text: string): boolean =>
  [...text].every((one) => one > ' ' && one <= '~' && one !== '"' && one !== '\\');

/**
 * With what an address of a deployment ended that a client called: a slash, a query. It names the same resource, which
 * clients compare as text with what they were given.
 *
 * @returns empty for none, and for one that is too long, could not be repeated in a header, or names what is secret
 *
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

/** Names of what some clients put into a query against all advice: it must not travel on in other addresses. */
const OF_SECRETS =
  /assertion|authorization|code|cookie|credential|key|pass|pwd|secret|session|sig|token|verifier/i;

/**
 * The protected-resource document in the form that clients look for at the origin's root.
 *
 * @param ending - of the address that was called
 *
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

/** Whether this can be a slug at all. Source: docs/decisions/management.md, "Slugs". */
export const isSlug = (text: string): boolean => SLUG.test(text);

/** @throws ApiRefusal that says what a slug looks like */
export const checkSlug = (text: string): void => {
  if (isSlug(text)) return;
  throw new ApiRefusal('invalid_request', `The slug "${text.slice(0, 80)}" cannot be used.`, {
    where: '/slug',
    what: 'not a slug',
    hint: 'Use 3 to 63 of a-z, 0-9 and -, starting with a letter.',
  });
};

/** A slug made from a description's title; always valid, not always free. */
export const slugFromTitle = (title: string): string => {
  const words = withoutMarks(title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const named = trimDashes(words);
  const lettered = /^[a-z]/.test(named) ? named : `api-${named}`;
  const cut = trimDashes(lettered.slice(0, MAX_LENGTH));
  return cut.length < 3 ? `${cut}-api` : cut;
};

/** The same slug with an ending of its own, for when it is taken by somebody else. */
export const slugWithEnding = (slug: string, ending: string): string =>
  `${trimDashes(slug.slice(0, MAX_LENGTH - ending.length - 1))}-${ending}`;

const trimDashes = (text: string): string => trimmed(text, /-/);

/**
 * Keeps the slug of a removed deployment for its former owner: clients that still call it must not come to
 * a stranger. An account that was removed too is nobody's any more, and ids are never used again.
 *
 * Source: docs/decisions/management.md, "Slugs".
 */
export const SlugReservation = z.object({
  slug: z.string(),
  /** The former owner, who may be gone. */
  ownerId: z.string(),
  expiresAt: z.int(),
});
export type SlugReservation = ValueOf<typeof SlugReservation>;

const RESERVED_SECONDS = 90 * DAY;

export const reservationOf = (
  { slug, ownerId }: Pick<SlugReservation, 'slug' | 'ownerId'>,
  removedAt: EpochSeconds,
): SlugReservation => ({ slug, ownerId, expiresAt: removedAt + RESERVED_SECONDS });

/** Whether somebody else than this owner may still not have the slug. */
export const isReservedFrom = (
  ownerId: string,
  reservation: SlugReservation | undefined,
  now: EpochSeconds,
): reservation is SlugReservation =>
  reservation !== undefined && reservation.ownerId !== ownerId && now < reservation.expiresAt;
