import type { Schema } from '../json-schema/schema.ts';

/** What is wrong with a tool, as sentences for people; empty if a model API takes it. */
export type Complaints = readonly string[];

/** What of a tool clients hand to a model API. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Schema;
}
