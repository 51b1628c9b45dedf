/**
 * A body of the legacy endpoint as the params of `tools/call`; what is missing, that will say.
 * Source: docs/decisions/mcp.md, "The legacy endpoint".
 */
export const legacyParams = (sent: unknown): Readonly<Record<string, unknown>> => {
  if (typeof sent !== 'object' || sent === null) return {};
  const { name, tool, arguments: given } = sent as Readonly<Record<string, unknown>>;
  return { name: name ?? tool, ...(given !== undefined && { arguments: given }) };
};
