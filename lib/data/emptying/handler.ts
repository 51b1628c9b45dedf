/**
 * Empties buckets and deletes secrets before their stack is deleted: S3 deletes no bucket with objects, and functions
 * made the secrets. Inlined into the template. Source: AWS CloudFormation, "Custom resource request types".
 */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import {
  DeleteSecretCommand,
  ListSecretsCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

export interface EmptyingEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly ResourceProperties: {
    readonly Buckets: readonly string[];
    /** Prefix of the secrets' names. */
    readonly Secrets: string;
  };
}

/** @throws Error if CloudFormation takes no answer: it then waits until its timeout */
export const handler = async (event: EmptyingEvent): Promise<void> => {
  const { ResponseURL, StackId, RequestId, LogicalResourceId, ResourceProperties } = event;
  const failure =
    event.RequestType === 'Delete'
      ? await failureOf(async () => {
          if (await isBeingDeleted(StackId)) await empty(ResourceProperties);
        })
      : undefined;
  const body = JSON.stringify({
    Status: failure === undefined ? 'SUCCESS' : 'FAILED',
    Reason: failure,
    PhysicalResourceId: LogicalResourceId,
    StackId,
    RequestId,
    LogicalResourceId,
  });
  // CloudFormation's presigned URL, signed for an empty content type; nobody else chooses it.
  // oxlint-disable-next-line no-restricted-globals
  const answered = await fetch(ResponseURL, {
    method: 'PUT',
    body,
    headers: { 'content-type': '' },
  });
  if (!answered.ok) throw new Error(`CloudFormation answers ${answered.status}`);
};

/**
 * The resource is also deleted where an update drops it, such as one that makes the stage keep its data: the stack
 * and its data stay then. Source: AWS CloudFormation, "Understand stack creation events", "Stack status codes".
 */
const isBeingDeleted = async (StackName: string): Promise<boolean> => {
  const { Stacks } = await new CloudFormationClient().send(
    new DescribeStacksCommand({ StackName }),
  );
  const status = Stacks?.[0]?.StackStatus ?? 'none';
  return DELETING.has(status);
};

const DELETING: ReadonlySet<string> = new Set(['DELETE_IN_PROGRESS', 'ROLLBACK_IN_PROGRESS']);

const failureOf = async (work: () => Promise<void>): Promise<string | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return String(error);
  }
};

const empty = async ({ Buckets, Secrets }: EmptyingEvent['ResourceProperties']): Promise<void> => {
  const s3 = new S3Client();
  for (const Bucket of Buckets) await emptyBucket(s3, Bucket);
  await deleteSecrets(new SecretsManagerClient(), Secrets);
};

const emptyBucket = async (s3: S3Client, Bucket: string): Promise<void> => {
  for (;;) {
    const listed = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    const Objects = [...(listed.Versions ?? []), ...(listed.DeleteMarkers ?? [])].map(
      ({ Key, VersionId }) => ({ Key, VersionId }),
    );
    if (Objects.length === 0) return;
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors[0]) throw new Error(`${Errors[0].Key}: ${Errors[0].Code}`);
  }
};

const deleteSecrets = async (secrets: SecretsManagerClient, prefix: string): Promise<void> => {
  let NextToken: string | undefined;
  do {
    const listed = await secrets.send(
      new ListSecretsCommand({ Filters: [{ Key: 'name', Values: [prefix] }], NextToken }),
    );
    for (const { ARN, Name } of listed.SecretList ?? []) {
      // The filter of ListSecrets ignores case.
      if (!Name?.startsWith(prefix)) continue;
      const deletion = { SecretId: ARN, ForceDeleteWithoutRecovery: true };
      await secrets.send(new DeleteSecretCommand(deletion));
    }
    NextToken = listed.NextToken;
  } while (NextToken !== undefined);
};
