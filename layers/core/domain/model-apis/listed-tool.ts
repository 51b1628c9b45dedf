/** What is wrong with a tool, as sentences for people; empty if a model API takes it. */
export type Complaints = readonly string[];

/** A tool as `tools/list` shows it, and as clients hand it to a model API. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Schema;
}

export type Schema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
