/** CloudFormation sends all values as texts. */
export interface ServerProperties {
  readonly Slug: string;
  readonly BaseUrl: string;
  /** ARN or name of the secret with the token; absent where the role signs in by a trust. */
  readonly Token?: string;
  readonly Trust?: string;
  readonly Declaration: { readonly Bucket: string; readonly Key: string };
  readonly Secrets?: readonly {
    readonly Credential: string;
    readonly Member: string;
    /** Complete ARN, or name. */
    readonly Arn: string;
    readonly Field?: string;
  }[];
  readonly ApiBaseUrl?: string;
  readonly Adopt: string;
  readonly Removal: string;
  readonly Digest: string;
}

/** Source: AWS CloudFormation User Guide, "Custom resource request objects". */
export interface ServerRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: ServerProperties;
  /** Present only in updates: the former properties, and in a rollback those that failed. */
  readonly OldResourceProperties?: ServerProperties;
}
