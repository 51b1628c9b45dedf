import { usageFailure } from '../failure.ts';

export interface Addresses {
  readonly origin: string;
  readonly slug: string;
  readonly base: string;
  readonly messages: string;
  readonly discovery: string;
  /** Protected resource metadata URLs, each with the resource it describes. */
  readonly resourceForms: readonly Form[];
  /** Authorization server metadata URLs below the deployment's own path. */
  readonly serverForms: readonly Form[];
}

export interface Form {
  readonly name: string;
  readonly url: string;
  /** Identifier that the document must contain. */
  readonly about: string;
}

/**
 * @param address - of a server, with or without `/messages` at its end
 * @throws Failure usage. Source: RFC 9728 §3.1; docs/decisions/oauth.md, "Metadata routes".
 */
export const addressesOf = (address: string): Addresses => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const [, path = '', slug = ''] =
    /^((?:\/[^/]+)*\/mcp-router\/([^/]+))(?:\/messages)?\/?$/.exec(url?.pathname ?? '') ?? [];
  if (!url || !/^https?:$/.test(url.protocol) || slug === '' || url.username || url.search) {
    throw usageFailure(
      `"${address}" is not the address of a server.`,
      'It looks like https://HOST/v1/mcp-router/SLUG/messages; npx --no-install hosted-mcp ls prints them.',
    );
  }
  const { origin } = url;
  const base = `${origin}${path}`;
  const messages = `${base}/messages`;
  const resource = `${origin}/.well-known/oauth-protected-resource${path}`;
  const server = `${origin}/.well-known/oauth-authorization-server${path}`;
  return {
    origin,
    slug,
    base,
    messages,
    discovery: `${base}/.well-known/mcp-server`,
    resourceForms: [
      { name: 'for /messages', url: `${resource}/messages`, about: messages },
      { name: 'for the base', url: resource, about: base },
      {
        name: 'under the base',
        url: `${base}/.well-known/oauth-protected-resource`,
        about: base,
      },
    ],
    serverForms: [
      { name: 'by the resource', url: `${server}/messages`, about: '' },
      { name: 'by the base', url: server, about: '' },
    ],
  };
};

/** Source: RFC 8414 §3.1, §5; docs/decisions/oauth.md, "Metadata routes". */
export const serverFormsOf = (issuer: string): readonly Form[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
    { name: `${name}, inserted`, url: `${origin}/.well-known/${name}${path}`, about: issuer },
    { name: `${name}, appended`, url: `${origin}${path}/.well-known/${name}`, about: issuer },
  ]);
};
