export interface ContentLimits {
  readonly maxCount: number;
  readonly maxBytes: number;
}

export type Placement =
  | 'placed'
  | 'name_taken'
  | 'uri_taken'
  | 'too_many'
  | 'too_much'
  | 'no_deployment';
