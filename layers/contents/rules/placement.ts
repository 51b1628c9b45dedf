/** Limits of all resources, or all prompts, of one deployment. */
export interface ContentLimits {
  readonly maxCount: number;
  readonly maxBytes: number;
}

/** Result of storing new or changed contents: done, or which limit or name prevents it. */
export type Placement =
  | 'placed'
  | 'name_taken'
  | 'uri_taken'
  | 'too_many'
  | 'too_much'
  | 'no_deployment';
