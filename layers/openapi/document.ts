import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../platform/rules/json/json.ts';
import { resolveFragment } from '../platform/rules/json/pointer.ts';
import type { Finding } from '../platform/rules/refusal/api-refusal.ts';

export type Dialect = 'swagger-2.0' | 'openapi-3.0' | 'openapi-3.1' | 'openapi-3.2';

/** A description of an API as intake leaves it: read, checked, and safe to walk as a tree. */
export interface Description {
  /** As it was received. */
  readonly text: string;
  readonly dialect: Dialect;
  /**
   * The parsed document. `$ref`s stand where they stood, and those that the operations need start with
   * `#` and point at something; in schemas and answers those that do not are gone. Nodes may be shared (YAML aliases), but the tree is finite, of
   * bounded size and depth, and no key is `__proto__`.
   */
  readonly root: JsonObject;
  /** Every operation that can be called, in document order. */
  readonly operations: readonly FoundOperation[];
  readonly warnings: readonly Finding[];
  /**
   * All object keys under every schema of the document.
   * Source: docs/decisions/storage.md, "Where versions are stored".
   */
  readonly schemaKeys: number;
  /** What became of the overlays, in their order. */
  readonly overlays: readonly OverlayApplication[];
}

export interface OverlayApplication {
  readonly title: string;
  readonly actions: number;
  /** Of them, those whose target matched something. */
  readonly applied: number;
}

export interface FoundOperation {
  /** Upper case. */
  readonly method: string;
  /** As in the description, starting with `/`. */
  readonly path: string;
  /** Absent where the description has none, or one that is not a text. */
  readonly operationId?: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** What the path says for all its operations (`parameters`, `servers` ...), its own `$ref` resolved. */
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
  /** Where it is listed: `/paths/~1pets/get`, also where the path item stands elsewhere. */
  readonly pointer: string;
}

/** References that point at references are followed this far; no honest description comes close. */
export const MAX_HOPS = 16;

/**
 * What a place holds where a Reference Object may stand: the node itself, or what its chain of
 * internal references ends at.
 *
 * @returns undefined where the chain leads nowhere, or on and on
 */
export const target = (root: JsonObject, node: Json): Json | undefined =>
  follow(root, node, () => {});

/**
 * The `target`, with the reference's own `summary` and `description` in place of the target's, as OpenAPI
 * 3.1 and later have it; all other neighbours of `$ref` are ignored. Schemas, where neighbours do count
 * from 3.1 on, need more than this.
 *
 * Source: OpenAPI 3.1.1 §4.8.23.
 */
export const resolved = (root: JsonObject, node: Json): Json | undefined => {
  const texts: Record<string, Json> = {};
  const end = follow(root, node, (reference) => {
    for (const key of ['summary', 'description'] as const) {
      const text = member(reference, key);
      if (text !== undefined) texts[key] ??= text;
    }
  });
  const overriding = /^3\.[1-9]/.test(textMember(root, 'openapi'));
  return overriding && isObject(end) && Object.keys(texts).length > 0 ? { ...end, ...texts } : end;
};

const follow = (
  root: JsonObject,
  node: Json,
  onReference: (reference: JsonObject) => void,
): Json | undefined => {
  let at: Json | undefined = node;
  for (let hops = 0; isObject(at); hops += 1) {
    const ref = member(at, '$ref');
    if (typeof ref !== 'string') break;
    if (hops === MAX_HOPS) return undefined;
    onReference(at);
    at = resolveFragment(root, ref);
  }
  return at;
};
