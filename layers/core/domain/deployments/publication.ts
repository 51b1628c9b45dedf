/** What an owner chose for the making of tools, kept so that the next description is treated alike. */
export interface PublicationSettings {
  /** Where the description came from: relative servers start there. */
  readonly sourceUrl?: string;
  /** Wins over what the description says. */
  readonly apiBaseUrl?: string;
  readonly serverVariables?: Readonly<Record<string, string>>;
  readonly operations?: OperationChoice;
  readonly overrides?: ToolOverrides;
  /** Absent: `operations`. */
  readonly toolMode?: 'search';
  /** Tokens that a tool may take, roughly; null: any number. Absent: the service's default. */
  readonly toolTokenBudget?: number | null;
  /** Absent: `off`. */
  readonly structuredOutput?: 'on';
}

/** Whether results are structured as well as text. Source: docs/tools.md, "Structured output". */
export const STRUCTURED_OUTPUT = ['off', 'on'] as const;
export type StructuredOutput = (typeof STRUCTURED_OUTPUT)[number];

export const structuredOutputOf = ({ structuredOutput }: PublicationSettings): StructuredOutput =>
  structuredOutput ?? 'off';

/** @returns the settings with it on or off, in their one form */
export const withStructuredOutput = (
  settings: PublicationSettings,
  choice: StructuredOutput,
): PublicationSettings => {
  const { structuredOutput: _, ...others } = settings;
  return { ...others, ...(choice === 'on' && { structuredOutput: choice }) };
};

/** What clients are shown: a tool for each operation, or three tools that search and call them all. */
export const TOOL_MODES = ['operations', 'search'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

/** @returns the settings with this mode, in their one form */
export const inToolMode = (settings: PublicationSettings, mode: ToolMode): PublicationSettings => {
  const { toolMode: _, ...others } = settings;
  return { ...others, ...(mode === 'search' && { toolMode: mode }) };
};

export const toolModeOf = ({ toolMode }: PublicationSettings): ToolMode => toolMode ?? 'operations';

/**
 * Each entry `tag:NAME`, `METHOD /path` or an operationId.
 * Source: docs/decisions.md, "Choosing operations".
 */
export interface OperationChoice {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * By operation: its operationId, or `METHOD /path`. They outlive the operation.
 * Source: docs/tools.md, "Overrides".
 */
export type ToolOverrides = Readonly<Record<string, ToolOverride>>;

export interface ToolOverride {
  /** The operation is no tool. */
  readonly hidden?: boolean;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: ToolAnnotations;
  /** Of this tool, whatever holds for the deployment. */
  readonly structuredOutput?: StructuredOutput;
  readonly arguments?: Readonly<Record<string, ArgumentOverride>>;
}

export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Clients see neither kind: one is never sent, the other always with this value. */
export type ArgumentOverride = { readonly hidden: true } | { readonly value: unknown };
