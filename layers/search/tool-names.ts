export const SEARCH = 'search_operations';
export const DESCRIBE = 'describe_operation';
export const CALL = 'call_operation';

/** The tools that clients are shown in search mode, in their order. */
export const SEARCH_TOOLS: readonly string[] = [SEARCH, DESCRIBE, CALL];
