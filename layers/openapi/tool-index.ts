import { parsedJson } from '../platform/rules/json/parsed-json.ts';
import type { ToolOutput } from './tool-output.ts';

/** Index of a version's tools for the router: as they are listed and called. Written at publication, stored as JSON. */
export interface ToolIndex {
  readonly format: 1;
  readonly tools: readonly IndexedTool[];
}

/** Source: MCP 2025-03-26, "Tools", "Tool". */
export interface ListedTool {
  readonly name: string;
  /** Copy of `annotations.title`: clients since 2025-06-18 look here first. */
  readonly title?: string;
  readonly description?: string;
  /**
   * The root has only `type`, `properties`, `required` and `$defs`, since some model APIs refuse more. Routers
   * therefore refuse unknown arguments themselves, unless the body's source is `additional`.
   */
  readonly inputSchema: JsonObject;
  readonly annotations: ToolAnnotations;
  readonly _meta?: typeof ALWAYS_LOADED;
}

/**
 * Tells clients that defer tools, until their search finds them, to load this one at once.
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

export interface CompiledTool extends ToolCall {
  readonly listed: ListedTool;
}

/** A tool in the router's memory, where it is listed far more often than called. */
export interface IndexedTool extends ToolCall {
  /** JSON text of a `ListedTool`. */
  readonly listed: string;
}

export const listedTool = ({ listed }: Pick<IndexedTool, 'listed'>): ListedTool =>
  parsedJson(listed) as ListedTool;

export const outputSchema = ({ schema }: Pick<ToolOutput, 'schema'>): JsonObject =>
  parsedJson(schema) as JsonObject;

type JsonObject = Readonly<Record<string, unknown>>;

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
  /** Absent: results are text only. */
  readonly output?: ToolOutput;
  /** Values that the owner fixed for arguments, which are not listed. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Arguments that callers may not send, because the owner fixed or removed them. */
  readonly withheld?: readonly string[];
  /** Wire names of `withheld` arguments, which no other argument may set. */
  readonly withheldPlaces?: readonly WirePlace[];
}

export interface WirePlace {
  readonly in: OperationParameter['in'] | 'body';
  readonly name: string;
}

export interface Operation {
  /** Upper case. */
  readonly method: string;
  /**
   * Path template with `{name}` variables, without fragment. A fixed query (`/search?kind=a`) comes before parameters.
   */
  readonly path: string;
  /** Absolute URL without variables and trailing slash. */
  readonly serverUrl: string;
  readonly operationId?: string;
  readonly parameters: readonly OperationParameter[];
  /** Headers that the description fixes to one value, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: OperationBody;
  /** Rules about arguments that the root of `inputSchema` cannot express; the description tells them in words. */
  readonly rules?: readonly ArgumentRule[];
  /** Alternatives of security schemes required together; empty: none needed. Absent: unknown, as in old indexes. */
  readonly security?: readonly (readonly string[])[];
  readonly accept: readonly string[];
  /** Metadata of responses by status: `201`, `4XX`, `default`. */
  readonly answers?: Readonly<Record<string, DescribedAnswer>>;
  /** Wire names (`filter[x]`) of nested properties by JSON pointer (`/$defs/Filter/properties/filter_x`). */
  readonly wireNames?: Readonly<Record<string, string>>;
  /** Arguments with a single possible value, which is always sent and not listed. */
  readonly constants?: Readonly<Record<string, unknown>>;
  /** Values sent for required properties that are not given, by JSON pointer; names inside are wire names. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Complete keywords for validation where model APIs want others listed; by JSON pointer into `inputSchema`. */
  readonly unlisted?: Readonly<Record<string, JsonObject>>;
}

export interface DescribedAnswer {
  /** Lower-case names. */
  readonly headers?: readonly string[];
  /** Whether the answer is a web page for browsers. */
  readonly isPage?: true;
}

export type ArgumentRule = {
  /** Applies to calls with any of these arguments; absent: to every call. */
  readonly when?: readonly string[];
} & (
  | {
      readonly kind: 'needs';
      /** Sets of arguments, of which at least one must be given completely. */
      readonly sets: readonly (readonly string[])[];
    }
  | {
      readonly kind: 'counts';
      /** Arguments that are counted; undeclared ones count too. */
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
  /** Name among the tool's arguments. */
  readonly argument: string;
  /** Wire name. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Media type of `content` parameters: the value is written in it, then percent-encoded. */
  readonly mediaType?: string;
  /** Whether nested objects of an exploded one are written as `a[b]=1`, as the API's framework parses them. */
  readonly brackets?: true;
  /** Whether nested objects of an exploded one are written as `a.b=1`. */
  readonly dots?: true;
  /** Whether booleans are written as 1 and 0. */
  readonly digits?: true;
  /** Whether a `content` parameter is the whole query: a form member by member, anything else as one text. */
  readonly isQuery?: true;
  /** For path parameters: the value may span several segments, whose slashes are not encoded. */
  readonly isMultiSegment?: true;
  /** For the last path parameter: `/files/` may be requested as well as `/files/a.txt`. */
  readonly mayBeEmpty?: true;
  /** Of the last places in the path: without a value they are not in it, nor is the slash before them. */
  readonly mayBeLeftOut?: true;
  /** Of a list in a header: each item is a line of its own. */
  readonly isRepeated?: true;
}

/**
 * The body of a request. Files (parts of `multipart`, and all of `binary`) have `contentEncoding: base64` in their
 * schema: the argument is base64 text, or `{data, filename?, contentType?}` with that text as `data`. Nothing else is
 * decoded.
 */
export interface OperationBody {
  readonly required: boolean;
  /** `Content-Type`; a multipart boundary is added. */
  readonly mediaType: string;
  readonly form: 'json' | 'form' | 'multipart' | 'text' | 'binary';
  readonly source: BodySource;
  /** For `text`: media type of `{data, filename?, contentType?}`, where the API accepts bytes too. */
  readonly bytesType?: string;
  /** For `binary`: the name of a file that has none, where the server refuses bytes without one. */
  readonly filename?: string;
  /** For `multipart`: media type of the body in calls without a file, which can carry null, as a form cannot. */
  readonly jsonType?: string;
  /** For an optional `json` body in one argument: `{}` is sent without it. */
  readonly emptyObject?: true;
  /** For an optional `json` body with its properties as arguments: name of the boolean argument that sends `{}`. */
  readonly emptyArgument?: string;
  /** For `form` and `multipart`: encodings by wire name. */
  readonly encoding?: Readonly<Record<string, PropertyEncoding>>;
  /** Of `multipart` that is a list: its items are the parts. Encodings are by position, `*` is that of further ones. */
  readonly isByPosition?: true;
  /** For `multipart`: sent as a POST that names the method in `X-HTTP-Method-Override`. */
  readonly isPosted?: true;
}

/** In such a body null removes a member. Source: RFC 7396 §1. */
export const isMergePatch = ({ mediaType }: Pick<OperationBody, 'mediaType'>): boolean =>
  /\bmerge-patch\+json\b/i.test(mediaType);

export type BodySource =
  | { readonly kind: 'whole'; readonly argument: string }
  | {
      readonly kind: 'properties';
      readonly properties: readonly { readonly argument: string; readonly name: string }[];
      /** Whether undeclared arguments become properties of the body. */
      readonly additional: boolean;
    };

export interface PropertyEncoding {
  readonly contentType?: string;
  /** For parts without media type: objects and lists are sent as JSON, but not labelled. */
  readonly isUntyped?: true;
  /**
   * How members of an object, and of objects in a list, are fields of their own: `a.b` and `a[0].b`, or as Django REST
   * framework reads them, `a[0]b`.
   */
  readonly members?: 'dotted' | 'django';
  /** For lists of files: each part is called `name[]`. */
  readonly isBracketed?: true;
  /** Whether booleans are written as 1 and 0. */
  readonly digits?: true;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** For multipart parts: headers that the description fixes to one value. */
  readonly headers?: Readonly<Record<string, string>>;
}
