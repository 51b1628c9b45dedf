/**
 * Whether a body speaks JSON-RPC, as far as the base URL and the legacy endpoint care: any other
 * body gets the discovery document, or is a legacy call. A batch does if one of its members does.
 *
 * @param text - undefined if the body's bytes are not valid UTF-8
 *
 * Source: docs/protocol.md, "Discovery document"; docs/decisions/mcp.md, "The legacy endpoint".
 */
export const speaksRpc = (text: string | undefined): boolean => {
  const sent = parsed(text);
  return Array.isArray(sent) ? sent.some(isCall) : isCall(sent);
};

const isCall = (sent: unknown): boolean =>
  typeof sent === 'object' &&
  sent !== null &&
  'jsonrpc' in sent &&
  sent.jsonrpc === '2.0' &&
  Object.hasOwn(sent, 'method');

const parsed = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};
