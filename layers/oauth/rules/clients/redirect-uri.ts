/** Without spaces, control characters and backslashes, which URL parsers silently repair. */
const PRINTABLE = /^[\x21-\x7e]+$/;
const FORBIDDEN = /[\\#*"<>^`{|}]/;
const WITH_HOST = /^https?:\/\/[^/?#@]+(?:[/?]|$)/i;
const LOOPBACK =
  /^(?<scheme>https?:\/\/)(?<host>localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/i;

export interface RedirectUriRules {
  /** In characters. */
  readonly maxLength: number;
  /** Private-use URIs that the operator allows, compared exactly. Source: docs/decisions/oauth.md, "Redirect URIs". */
  readonly allowed: readonly string[];
}

/**
 * Allows https, or http on the client's own machine; nothing that parsers could read in two ways. Source: RFC 8252
 * §7.3, §8.3; RFC 9700 §4.1.3; docs/decisions/oauth.md, "Redirect URIs".
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
 * Compares exactly, except for the port of loopback addresses, which a native client learns only at runtime. Source:
 * RFC 8252 §7.3.
 */
export const matchesRedirectUri = (registered: readonly string[], given: string): boolean => {
  const wanted = withoutLoopbackPort(given);
  return URL.canParse(given) && registered.some((uri) => withoutLoopbackPort(uri) === wanted);
};

const withoutLoopbackPort = (uri: string): string => uri.replace(LOOPBACK, '$<scheme>$<host>');
