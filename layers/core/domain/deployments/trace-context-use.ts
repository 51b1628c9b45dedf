/** What becomes of a client's trace context besides the log: it ends here, or its headers go to the target API. */
export const TRACE_CONTEXT_USES = ['withheld', 'forwarded'] as const;
export type TraceContextUse = (typeof TRACE_CONTEXT_USES)[number];
