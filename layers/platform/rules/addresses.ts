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

/** What the pages of the console begin with. */
export const consolePages = (baseUrl: string): string => `${baseUrl}/console/`;

/** What the management API's addresses begin with. */
export const management = (baseUrl: string): string => `${baseUrl}/mcp-management`;

/** Which of a deployment's two names a client used: its messages endpoint, or the rest. */
export type ResourceForm = 'messages' | 'base';

/**
 * The protected-resource document in the form that clients look for at the origin's root.
 * Source: docs/decisions/oauth.md, "Metadata routes".
 */
export const resourceMetadataUrl = (baseUrl: string, slug: string, form: ResourceForm): string => {
  const { origin, pathname } = new URL(routerAddresses(baseUrl, slug)[form]);
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
};
