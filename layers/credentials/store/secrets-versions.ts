import type { CredentialVersions } from './stores.ts';
import { errorName } from '../../platform/aws/access.ts';
import { secretName, type Secrets, secretsFault } from './secrets-client.ts';

/** Lists only labelled versions: Secrets Manager drops the others. Source: AWS Secrets Manager, "DescribeSecret". */
export const secretsManagerVersions = (
  open: () => Promise<Secrets>,
  { prefix }: { readonly prefix: string },
): CredentialVersions => ({
  find: async (place) => {
    const { sdk, client } = await open();
    const found = await client
      .send(new sdk.DescribeSecretCommand({ SecretId: secretName(prefix, place) }))
      .catch(undefinedIfMissing);
    return (
      found && {
        versions: Object.keys(found.VersionIdsToStages ?? {}),
        isDeleted: found.DeletedDate !== undefined,
      }
    );
  },
});

const undefinedIfMissing = (error: unknown): undefined =>
  errorName(error) === 'ResourceNotFoundException' ? undefined : secretsFault(error);
