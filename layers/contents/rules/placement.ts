/** How many resources, or prompts, a deployment may have, and how many bytes in all of them. */
export interface ContentLimits {
  readonly maxCount: number;
  readonly maxBytes: number;
}

/** Whether something new or changed has its place, and if not, what it lacks. */
export type Placement =
  | 'placed'
  | 'name_taken'
  | 'uri_taken'
  | 'too_many'
  | 'too_much'
  | 'no_deployment';
