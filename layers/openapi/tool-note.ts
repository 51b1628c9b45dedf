/** A change that was made to turn an operation into a tool. */
export interface ToolNote extends Change {
  /** Affected arguments, for people: `filter.kinds[]`, at most a few; absent: the tool itself. */
  readonly arguments?: readonly string[];
}

export interface Change {
  readonly what: string;
  readonly why: string;
}

/** Changes made at the publication of a version; stored beside its tools, for people only. */
export interface ToolReport {
  readonly format: 1;
  readonly tools: readonly NotedTool[];
}

export interface NotedTool {
  readonly name: string;
  readonly notes: readonly ToolNote[];
}

/** Marks tools whose answers contain tokens, keys or passwords, which every caller gets. */
export const GIVES_SECRETS = 'gives out secrets';
