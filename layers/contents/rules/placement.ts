export interface ContentLimits {
  readonly maxCount: number;
  /** Limit on the bytes of all resources, or of all prompts, together. */
  readonly maxBytes: number;
}

export type Placement =
  | 'placed'
  | 'name_taken'
  | 'uri_taken'
  | 'too_many'
  | 'too_much'
  | 'no_deployment';
