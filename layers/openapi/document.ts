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

/** A description after intake: parsed, checked, and safe to walk as a tree. */
export interface Description {
  readonly text: string;
  readonly dialect: Dialect;
  /**
   * Parsed document. `$ref`s are kept; those that operations need start with `#` and resolve, others are removed from
   * schemas and answers. YAML aliases may share nodes, but the tree is finite, its size and depth are bounded, and no
   * key is `__proto__`.
   */
  readonly root: JsonObject;
  readonly operations: readonly FoundOperation[];
  readonly warnings: readonly Finding[];
  /** Number of object keys under all schemas. Source: docs/decisions/storage.md, "Where versions are stored". */
  readonly schemaKeys: number;
  readonly overlays: readonly OverlayApplication[];
}

export interface OverlayApplication {
  readonly title: string;
  readonly actions: number;
  /** Number of overlay actions whose target matched something. */
  readonly applied: number;
}

export interface FoundOperation {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** The path item, its own `$ref` resolved: `parameters` and `servers` of all its operations. */
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
  /** JSON pointer under `/paths`, even where the path item is elsewhere. */
  readonly pointer: string;
}

/** Longest chain of references; real descriptions have far shorter ones. */
export const MAX_HOPS = 16;

/** The node, or what its chain of internal references ends at. @returns undefined for a dangling or endless chain */
export const target = (root: JsonObject, node: Json): Json | undefined =>
  follow(root, node, () => {});

/**
 * As `target`, since OpenAPI 3.1 with the `summary` and `description` of the reference itself: a Reference Object has
 * no other siblings that count. Schemas need more than this: there, all siblings count since OpenAPI 3.1.
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
