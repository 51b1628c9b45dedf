import { parsedJson } from '../platform/rules/json/parsed-json.ts';
import type { ToolOutput } from './tool-output.ts';

/**
 * What publication leaves behind for the router: every tool, as it is listed and as it is called.
 * Written at publication, read by `layers/tools`; stored as JSON, one per version of a deployment.
 */
export interface ToolIndex {
  readonly format: 1;
  readonly tools: readonly IndexedTool[];
}

/** A tool as `tools/list` shows it. Source: MCP 2025-03-26, "Tools", "Tool". */
export interface ListedTool {
  readonly name: string;
  /** For people, as in the annotations: clients of 2025-06-18 and later look here first. */
  readonly title?: string;
  readonly description?: string;
  /**
   * The root holds `type`, `properties`, `required` and `$defs`, nothing else (some model APIs refuse
   * more), so that unknown arguments are for the caller to refuse: they are allowed only where the
   * body's source says `additional`.
   */
  readonly inputSchema: JsonObject;
  readonly annotations: ToolAnnotations;
  readonly _meta?: typeof ALWAYS_LOADED;
}

/**
 * That a client which defers tools, until a search of its own finds them, has this one from the start.
 *
 * Source: https://code.claude.com/docs/en/mcp, "Scale with MCP Tool Search".
 */
export const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true } as const;

/** Source: MCP 2025-03-26, "Schema Reference", `ToolAnnotations`. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool while it is published. */
export interface CompiledTool extends ToolCall {
  readonly listed: ListedTool;
}

/** A tool as the router keeps it: it is listed far more often than it is called. */
export interface IndexedTool extends ToolCall {
  /** JSON text of a `ListedTool`. */
  readonly listed: string;
}

export const listedTool = ({ listed }: Pick<IndexedTool, 'listed'>): ListedTool =>
  parsedJson(listed) as ListedTool;

/** The same of a tool's `outputSchema`. */
export const outputSchema = ({ schema }: Pick<ToolOutput, 'schema'>): JsonObject =>
  parsedJson(schema) as JsonObject;

type JsonObject = Readonly<Record<string, unknown>>;

/** The index of tools that are published as they are. */
export const toToolIndex = (tools: readonly CompiledTool[]): ToolIndex => ({
  format: 1,
  tools: tools.map(toIndexedTool),
});

export const toIndexedTool = (tool: CompiledTool): IndexedTool => ({
  ...tool,
  listed: JSON.stringify(tool.listed),
});

interface ToolCall {
  readonly name: string;
  readonly operation: Operation;
  /** Absent: results are text alone. */
  readonly output?: ToolOutput;
  /** Arguments that are always sent so, as their owner fixed them; `listed` has them no more. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Arguments that the owner fixed or took away: callers may not send them. */
  readonly withheld?: readonly string[];
  /** Where those stand in the request: no other argument may put anything there. */
  readonly withheldPlaces?: readonly WirePlace[];
}

/** A name in a part of a request. */
export interface WirePlace {
  readonly in: OperationParameter['in'] | 'body';
  readonly name: string;
}

/** The HTTP request a tool stands for. */
export interface Operation {
  /** Upper case. */
  readonly method: string;
  /**
   * As in the description, with `{name}` places: `/users/{id}`. It may carry a fixed query
   * (`/search?kind=a`), which the parameters' is added to, but never a fragment.
   */
  readonly path: string;
  /** Absolute, variables filled in, without a trailing slash. */
  readonly serverUrl: string;
  readonly operationId?: string;
  readonly parameters: readonly OperationParameter[];
  /** Sent with every call: headers that the description fixes to one value. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: OperationBody;
  /** What else arguments must obey, which `inputSchema` cannot say at its root; it is described in words. */
  readonly rules?: readonly ArgumentRule[];
  /**
   * Names of security schemes that it wants at once, in alternatives; none at all: it takes calls as they are. Absent
   * where the description says nothing, and in versions from before this was kept.
   */
  readonly security?: readonly (readonly string[])[];
  /** Media types the description promises, for `Accept`. */
  readonly accept: readonly string[];
  /** What else it says of answers, by their status: `201`, `4XX`, `default`. Only where it says something. */
  readonly answers?: Readonly<Record<string, DescribedAnswer>>;
  /**
   * Nested properties that were renamed to fit `^[a-zA-Z0-9_.-]{1,64}$`: JSON pointer into the tool's
   * `inputSchema` (`/$defs/Filter/properties/filter_x`) to the name on the wire (`filter[x]`).
   * Top-level arguments are not in here: parameters and body name their own wire names.
   */
  readonly wireNames?: Readonly<Record<string, string>>;
  /** Arguments with one possible value, which is always sent: `inputSchema` does not have them. */
  readonly constants?: Readonly<Record<string, unknown>>;
  /**
   * What is sent where it is required and not given: JSON pointer into the tool's `inputSchema`
   * (`/properties/filter/properties/kind`) to the value, with its names on the wire.
   */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /**
   * Keywords that calls are held against beside what `inputSchema` says, since some model API would refuse the
   * list for them: by JSON pointer into it. They take the place of those that are there.
   */
  readonly unlisted?: Readonly<Record<string, JsonObject>>;
}

/** What is described of an answer besides its content. */
export interface DescribedAnswer {
  /** Lower-case names. */
  readonly headers?: readonly string[];
  /** It is meant to be read in a browser. */
  readonly isPage?: true;
}

/** A rule on which arguments are given. Names are those of arguments. */
export type ArgumentRule = {
  /** The rule is for calls that give any of these; absent: for every call. */
  readonly when?: readonly string[];
} & (
  | {
      readonly kind: 'needs';
      /** At least one of these must be given as a whole. */
      readonly sets: readonly (readonly string[])[];
    }
  | {
      readonly kind: 'counts';
      /** Arguments that are counted, and those that the tool does not name. */
      readonly of: readonly string[];
      readonly least?: number;
      readonly most?: number;
    }
);

export type ParameterStyle =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  /** Swagger 2.0 `collectionFormat: tsv`. */
  | 'tabDelimited'
  | 'deepObject';

export interface OperationParameter {
  /** Its name among the tool's arguments. */
  readonly argument: string;
  /** Its name on the wire. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Set for `content` parameters: the value is written in this media type, then percent-encoded. */
  readonly mediaType?: string;
  /** Set where objects within an exploded one are written as `a[b]=1`, as the framework of the API reads them. */
  readonly brackets?: true;
  /** Set where they are written as `a.b=1`. */
  readonly dots?: true;
  /**
   * Set for a `content` parameter that is the whole query and so has no name in it: the members of a form
   * one by one, anything else as one text.
   */
  readonly isQuery?: true;
  /** Of a place in the path: its value may have several segments, whose slashes stay. */
  readonly isMultiSegment?: true;
  /** Of the last place in the path: `/files/` is asked for as well as `/files/a.txt`. */
  readonly mayBeEmpty?: true;
}

/**
 * The request's body. Files (parts of `multipart`, and all of `binary`) are the places whose schema says
 * `contentEncoding: base64`: the argument is base64 text, or `{data, filename?, contentType?}` whose
 * `data` is that text. In no other form does anything have to be decoded.
 */
export interface OperationBody {
  readonly required: boolean;
  /** Sent as `Content-Type` (a multipart boundary is added). */
  readonly mediaType: string;
  readonly form: 'json' | 'form' | 'multipart' | 'text' | 'binary';
  readonly source: BodySource;
  /** Of `text`: what `{data, filename?, contentType?}` is sent as, where the API takes bytes as well. */
  readonly bytesType?: string;
  /** Of `json` in one piece that need not be given: `{}` is sent then, which the schema allows. */
  readonly emptyObject?: true;
  /**
   * Of `json` that may be left out, with its properties among the arguments: the boolean argument with which `{}` is
   * sent though none of them is given.
   */
  readonly emptyArgument?: string;
  /** For `form` and `multipart`: how single properties are written, by their names on the wire. */
  readonly encoding?: Readonly<Record<string, PropertyEncoding>>;
}

export type BodySource =
  /** One argument holds the whole body. */
  | { readonly kind: 'whole'; readonly argument: string }
  /** The body is an object whose properties stand among the arguments. */
  | {
      readonly kind: 'properties';
      readonly properties: readonly { readonly argument: string; readonly name: string }[];
      /** Whether arguments that are no parameter and no named property go into the body as well. */
      readonly additional: boolean;
    };

export interface PropertyEncoding {
  readonly contentType?: string;
  /** Of a multipart part without one: an object or list goes out as JSON all the same, but does not say so. */
  readonly isUntyped?: true;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Of a multipart part: headers that the description fixes to one value. */
  readonly headers?: Readonly<Record<string, string>>;
}
