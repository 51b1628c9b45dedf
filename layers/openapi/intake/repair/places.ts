import type { Json } from '../../../platform/rules/json/json.ts';

/** Where parameters stand, in all dialects. */
export const PLACES: readonly string[] = 'path query header cookie body formData querystring'.split(
  ' ',
);

/** A node of a description that is repaired before anybody else has seen it. */
export type Mutable = Record<string, Json>;
