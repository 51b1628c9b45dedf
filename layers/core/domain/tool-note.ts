/** Something that was done to an operation so that it became a tool that models can use. */
export interface ToolNote extends Change {
  /** Which arguments, for people: `filter.kinds[]`, at most a few; absent: the tool itself. */
  readonly arguments?: readonly string[];
}

export interface Change {
  readonly what: string;
  readonly why: string;
}
