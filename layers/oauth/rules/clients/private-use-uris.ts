import { jsonOrUndefined } from '../../../platform/rules/json/parsed-json.ts';

/**
 * A scheme of an app's own, none that browsers or systems have a meaning for (for http and https there are
 * rules, and a code must not become a script), and what a URI is made of behind it, without a fragment.
 */
const PRIVATE_USE =
  /^(?!(?:about|blob|data|file|ftp|https?|javascript|mailto|vbscript|wss?):)[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i;

/**
 * The operator's exact list of private-use redirect URIs.
 *
 * @param text - a JSON list; none if empty
 * @throws Error that says what is wrong, in words for the operator
 *
 * Source: RFC 8252 §7.1; docs/decisions/oauth.md, "Redirect URIs".
 */
export const readPrivateUseUris = (text = ''): readonly string[] => {
  if (text === '') return [];
  const given: unknown = jsonOrUndefined(text);
  if (!Array.isArray(given)) throw new Error('it must be a JSON list of URIs');
  return given.map((uri, at) => {
    if (typeof uri === 'string' && PRIVATE_USE.test(uri)) return uri;
    throw new Error(`number ${at + 1} is no private-use URI such as com.example.app:/callback`);
  });
};
