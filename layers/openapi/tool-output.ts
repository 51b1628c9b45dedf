/**
 * What a tool with structured output promises of its results, beside its text.
 *
 * Source: MCP 2025-06-18, "Tools", "Output Schema"; docs/tools.md, "Structured output".
 */
export interface ToolOutput {
  /** JSON text of the tool's `outputSchema`. */
  readonly schema: string;
  readonly names: OutputNames;
  /** Where an answer stands that is no object; absent: the description promises objects only. */
  readonly result?: string;
  /** Whether an answer that is an object is the structured content itself. */
  readonly hasObjects: boolean;
}

/** Members of structured content that are the service's own. */
export interface OutputNames {
  /** Says why the answer is not there as it is. */
  readonly note: string;
  /** An answer that does not fit the schema. */
  readonly answer: string;
  /** Where the rest of an answer can be read that is too long. */
  readonly parts: string;
}
