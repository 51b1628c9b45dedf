/** Of a custom resource that declares a server; all values are texts, as CloudFormation sends them. */
export interface ServerProperties {
  readonly Slug: string;
  readonly BaseUrl: string;
  /** ARN of the secret that holds the token; absent where the role signs in by a trust. */
  readonly Token?: string;
  /** Id of that. */
  readonly Trust?: string;
  readonly Declaration: { readonly Bucket: string; readonly Key: string };
  readonly Secrets?: readonly {
    readonly Credential: string;
    readonly Member: string;
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
  /** Of an update: what was before, and in a rollback what has failed. */
  readonly OldResourceProperties?: ServerProperties;
}
