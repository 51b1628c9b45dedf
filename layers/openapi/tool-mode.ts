/** One tool for each operation, or three that search, describe and call operations. */
export const TOOL_MODES = ['operations', 'search'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];
