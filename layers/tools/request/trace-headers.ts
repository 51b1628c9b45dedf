import type { TargetRequest } from '../../target/rules/target.ts';

/**
 * The request with a trace context in its headers, as it came: the service records no span of its own. One that has
 * such a header already, of an argument or a key, stays as it is: half of one context and half of another is none.
 *
 * Source: W3C Trace Context, "Mutating the traceparent Field"; docs/decisions/mcp.md, "Traces".
 */
export const withTraceHeaders = (
  request: TargetRequest,
  context: { readonly traceparent: string; readonly tracestate?: string } | undefined,
): TargetRequest => {
  const { headers } = request;
  if (!context || 'traceparent' in headers || 'tracestate' in headers) return request;
  const { traceparent, tracestate } = context;
  return {
    ...request,
    headers: { ...headers, traceparent, ...(tracestate !== undefined && { tracestate }) },
  };
};
