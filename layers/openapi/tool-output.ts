/** Output schema of a tool. Source: MCP 2025-06-18, "Tools", "Output Schema"; docs/tools.md, "Structured output". */
export interface ToolOutput {
  /** JSON text of the `outputSchema`. */
  readonly schema: string;
  readonly names: OutputNames;
  /** Member for an answer that is no object; absent: only objects are described. */
  readonly result?: string;
  /** Whether an answer that is an object is itself the structured content. */
  readonly hasObjects: boolean;
}

/** Names of the service's own members in structured content. */
export interface OutputNames {
  /** Member that tells why the answer is not included as it is. */
  readonly note: string;
  /** Member for an answer that does not fit the schema. */
  readonly answer: string;
  /** Member for the URIs of the rest of a long answer. */
  readonly parts: string;
}
