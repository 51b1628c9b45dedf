/** Something that was done to an operation so that it became a tool that models can use. */
export interface ToolNote extends Change {
  /** Which arguments, for people: `filter.kinds[]`, at most a few; absent: the tool itself. */
  readonly arguments?: readonly string[];
}

export interface Change {
  readonly what: string;
  /** The reason, or what to do about it. */
  readonly why: string;
}

/** What publication did to make the tools of a version; stored beside them, for people only. */
export interface ToolReport {
  readonly format: 1;
  readonly tools: readonly NotedTool[];
}

export interface NotedTool {
  readonly name: string;
  readonly notes: readonly ToolNote[];
}

/** Of a tool whose answers hold tokens, keys or passwords: everybody who may call it is given them. */
export const GIVES_SECRETS = 'gives out secrets';
