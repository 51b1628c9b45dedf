/** A statement whose placeholders are replaced. Source: IAM User Guide, "IAM JSON policy elements reference". */
export type Statement = Readonly<Record<string, unknown>>;

/** Everything that says who may do what in the one account of the embedded AWS. */
export interface AccountPolicies {
  readonly administrators: readonly string[];
  /** The statements of a caller's role. A caller that is neither here nor an administrator may do nothing. */
  readonly roles: Readonly<Record<string, readonly Statement[]>>;
  /** The policies of keys, buckets and queues, by ARN. A key without one can be used by nobody. */
  readonly resources: Readonly<Record<string, readonly Statement[]>>;
  readonly encryptedWith: Readonly<Record<string, string>>;
}

/** Condition keys of a request, as AWS spells them. */
export type Context = Readonly<Record<string, string | readonly string[]>>;

export interface Access {
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  readonly context: Context;
}
