import { isAssumable, LONGEST } from '../../credentials/rules/aws-role.ts';
import { type AwsAccess, errorName, sdkClient } from '../../platform/aws/access.ts';
import { awsName } from '../rules/aws-name.ts';
import { TokenUnavailable } from '../rules/token-failure.ts';
import type { TokenSource } from '../rules/token-source.ts';

const ANSWER_MS = 3000;

/**
 * Temporary keys of AWS roles. Trust policies ask for the external id, which is the deployment's id, so that a role
 * serves that deployment alone. With `nameUser`, the session names the caller, whom CloudTrail logs with all that the
 * keys do.
 *
 * @param roles - that the operator lists; no other role is assumed, whatever is stored
 * Source: AWS STS API, "AssumeRole"; IAM User Guide, "Confused deputy", "Monitor and control actions taken with assumed
 * roles".
 */
export const roleKeys = ({
  access,
  roles,
}: {
  readonly access: AwsAccess;
  readonly roles: readonly string[];
}): TokenSource<'aws'> => {
  const open = sdkClient(
    () => import('./sts-sdk.ts'),
    (sdk, settings) => new sdk.STSClient(settings),
    access,
    { answerMs: ANSWER_MS },
  );
  return {
    ask: async (credential, { caller }, { deploymentId }) => {
      const { roleArn, region, service, nameUser, durationSeconds = LONGEST } = credential;
      if (!isAssumable(roles, roleArn)) throw new TokenUnavailable('role_not_listed', roleArn);
      const identity = caller && awsName(caller);
      if (nameUser && identity === undefined) {
        throw new TokenUnavailable('denied', 'there is nobody to name');
      }
      const { sdk, client } = await open();
      const command = new sdk.AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: awsName(`hosted-mcp-${deploymentId}`),
        ExternalId: deploymentId,
        DurationSeconds: durationSeconds,
        ...(nameUser && {
          SourceIdentity: identity,
          Tags: [
            { Key: 'hosted-mcp:deployment', Value: deploymentId },
            { Key: 'hosted-mcp:user', Value: identity },
          ],
        }),
      });
      const { Credentials: keys } = await client.send(command).catch(throwRoleFailure);
      const { AccessKeyId, SecretAccessKey, SessionToken } = keys ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken) {
        throw new TokenUnavailable('token_endpoint_failed', 'STS gave no keys');
      }
      return {
        sent: {
          type: 'aws_keys',
          region,
          service,
          accessKeyId: AccessKeyId,
          secretAccessKey: SecretAccessKey,
          sessionToken: SessionToken,
        },
        lifeSeconds: durationSeconds,
      };
    },
  };
};

const throwRoleFailure = (error: unknown): never => {
  const name = errorName(error);
  if (name !== 'AccessDenied' && name !== 'AccessDeniedException') {
    throw new TokenUnavailable('token_endpoint_failed', `sts: ${name}`);
  }
  const [, policy] = OF_THIS_SERVICE.exec(error instanceof Error ? error.message : '') ?? [];
  throw policy === undefined
    ? new TokenUnavailable('role_refused', 'sts: AccessDenied')
    : new TokenUnavailable('role_not_permitted', `sts: AccessDenied by ${policy}`);
};

/**
 * Policies on the side of the account that assumes a role. For those of the role itself, and across organizations, STS
 * gives no distinguishable message. Source: IAM User Guide, "Troubleshoot access denied error messages".
 */
const OF_THIS_SERVICE =
  /(?:because no|with an explicit deny in an?) (identity-based policy|permissions boundary|service control policy|session policy|VPC endpoint policy)/;
