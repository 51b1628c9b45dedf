import type { ArgumentChecks } from '../../tools/arguments/argument-checks.ts';
import { PUBLICATION_SETTINGS, type PublicationChoices } from './settings.ts';
import type { ToolMode } from '../../openapi/tool-mode.ts';

/** What an owner chose for the making of tools, kept so that the next description is treated alike. */
export interface PublicationSettings extends PublicationChoices {
  /** Where the description came from: relative servers start there. */
  readonly sourceUrl?: string;
  /** Wins over what the description says. */
  readonly apiBaseUrl?: string;
  readonly serverVariables?: Readonly<Record<string, string>>;
  readonly operations?: OperationChoice;
  readonly overrides?: ToolOverrides;
  /** Texts of OpenAPI Overlays, which each description is changed by, in this order. */
  readonly overlays?: readonly string[];
}

export const toolModeOf = ({ toolMode }: PublicationSettings): ToolMode =>
  toolMode ?? PUBLICATION_SETTINGS.toolMode.initial;

/**
 * Each entry `tag:NAME`, `METHOD /path` or an operationId.
 * Source: docs/decisions/descriptions.md, "Choosing operations".
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
  /** Words by which a search finds it, whatever the description says. */
  readonly keywords?: readonly string[];
  /** Of this tool, whatever holds for the deployment. */
  readonly structuredOutput?: 'off' | 'on';
  /** Of this tool, whatever holds for the deployment; null: any number of tokens. */
  readonly answerTokenBudget?: number | null;
  /** JSON pointers with `*`: the members of its answers that models are shown; absent: all. */
  readonly answerFields?: readonly string[];
  /** Of this tool, whatever holds for the deployment. */
  readonly argumentChecks?: ArgumentChecks;
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
