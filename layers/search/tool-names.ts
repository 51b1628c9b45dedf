export const SEARCH = 'search_operations';
export const DESCRIBE = 'describe_operation';
export const CALL = 'call_operation';

export const SEARCH_TOOLS: readonly string[] = [SEARCH, DESCRIBE, CALL];
