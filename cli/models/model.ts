import type { Json } from '../json.ts';

/** A tool as clients hand it to a model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

/** What a model has done with a wish. */
export interface ModelChoice {
  /** The tools that it would call, in its order; none where it only talks. */
  readonly calls: readonly { readonly tool: string; readonly arguments: Json }[];
  /** What it said besides. */
  readonly text: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How one vendor is spoken to. */
export interface ModelProtocol {
  /** Variables of the environment that may hold the key, the first one that does counts. */
  readonly keys: readonly string[];
  readonly url: string;
  request(terms: RequestTerms): ModelRequest;
  /** @returns undefined for what is no answer of such a model */
  choiceIn(answer: Json): ModelChoice | undefined;
}

export interface RequestTerms {
  readonly model: string;
  readonly key: string;
  readonly wish: string;
  readonly tools: readonly OfferedTool[];
  /** Of the server, as clients hand them to models. */
  readonly instructions: string | undefined;
}

export interface ModelRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** As much as any choice takes. */
export const MOST_OUTPUT_TOKENS = 2048;
