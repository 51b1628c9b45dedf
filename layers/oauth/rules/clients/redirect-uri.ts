/** What a URI is made of; no space, control character or backslash, which URL parsers would mend. */
const PRINTABLE = /^[\x21-\x7e]+$/;
const FORBIDDEN = /[\\#*"<>^`{|}]/;
const WITH_HOST = /^https?:\/\/[^/?#@]+(?:[/?]|$)/i;
const LOOPBACK =
  /^(?<scheme>https?:\/\/)(?<host>localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/i;

export interface RedirectUriRules {
  /** Characters. */
  readonly maxLength: number;
  /**
   * Exact private-use URIs that the operator allows beside the rules.
   * Source: docs/decisions/oauth.md, "Redirect URIs".
   */
  readonly allowed: readonly string[];
}

/**
 * Whether a client may have a redirect URI: https, or http on the client's own machine; nothing that
 * could be read in two ways.
 *
 * Source: RFC 8252 §7.3, §8.3; RFC 9700 §4.1.3; docs/decisions/oauth.md, "Redirect URIs".
 */
export const isRedirectUri = (uri: string, { maxLength, allowed }: RedirectUriRules): boolean => {
  if (uri.length > maxLength) return false;
  if (allowed.includes(uri)) return true;
  return (
    PRINTABLE.test(uri) &&
    !FORBIDDEN.test(uri) &&
    WITH_HOST.test(uri) &&
    URL.canParse(uri) &&
    (uri.toLowerCase().startsWith('https:') || LOOPBACK.test(uri))
  );
};

/**
 * Whether a redirect URI is one of a client's: the same text, but for the port of the client's own
 * machine, which is free only once the client runs.
 *
 * Source: RFC 8252 §7.3.
 */
export const matchesRedirectUri = (registered: readonly string[], given: string): boolean => {
  const wanted = withoutLoopbackPort(given);
  return URL.canParse(given) && registered.some((uri) => withoutLoopbackPort(uri) === wanted);
};

const withoutLoopbackPort = (uri: string): string => uri.replace(LOOPBACK, '$<scheme>$<host>');
