import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { unless } from '../../platform/rules/refusal/finding.ts';
import type { Credential } from '../../target/rules/credential.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

type AwsRole = Extract<Credential, { type: 'aws' }>;

/** ARN of a role: account, path and name. Source: IAM User Guide, "IAM ARNs". */
const ROLE = /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/(?:[\x21-\x7e]{1,510}\/)?[\w+=,.@-]{1,64}$/;
const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;
const SERVICE = /^[a-z][a-z0-9-]{0,62}$/;

/** Seconds: the minimum of STS, and its maximum for a role that is assumed by another one. */
const SHORTEST = 900;
export const LONGEST = 3600;

/** Source: AWS STS API, "AssumeRole". */
export const awsRoleFindings = ({
  roleArn,
  region,
  service,
  durationSeconds = LONGEST,
}: AwsRole): readonly Finding[] => [
  ...unless(
    ROLE.test(roleArn),
    '/role_arn',
    'no ARN of a role',
    'Write arn:aws:iam::ACCOUNT:role/NAME.',
  ),
  ...unless(REGION.test(region), '/region', 'no region', 'Write one such as eu-central-1.'),
  ...unless(
    SERVICE.test(service),
    '/service',
    'no service as signatures name it',
    'Write execute-api for API Gateway, lambda for function URLs, appsync, es or aoss for OpenSearch, s3.',
  ),
  ...unless(
    durationSeconds >= SHORTEST && durationSeconds <= LONGEST,
    '/duration_seconds',
    'not between 900 and 3600',
    'AWS gives keys of a role that another role assumes for an hour at most.',
  ),
];

/**
 * Reads the operator's list of roles: exact ARNs, and patterns ending in `/*` for all roles below a path.
 *
 * @param text - JSON, as `assumable_roles` of `config/<stage>.json`; none if empty
 * @throws Error that says which entry is wrong
 */
export const readAssumableRoles = (text = ''): readonly string[] => {
  const roles: unknown = text === '' ? [] : parsedJson(text);
  if (!Array.isArray(roles)) throw new Error('write a list of ARNs of roles');
  for (const role of roles as readonly unknown[]) {
    const isRole = typeof role === 'string' && (ROLE.test(role) || BELOW_A_PATH.test(role));
    if (!isRole) {
      throw new Error(
        `${JSON.stringify(role)}: write the ARN of a role, or arn:aws:iam::ACCOUNT:role/PATH/* for all below a path`,
      );
    }
  }
  return roles as readonly string[];
};

/** Requires a path: `role/*` would be every role of an account. */
const BELOW_A_PATH = /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/[\w+=,.@-]+(?:\/[\w+=,.@-]+)*\/\*$/;

/** @param listed - as `readAssumableRoles` gives them */
export const isAssumable = (listed: readonly string[], roleArn: string): boolean =>
  listed.some((one) =>
    one.endsWith('/*')
      ? roleArn.startsWith(one.slice(0, -1)) && !roleArn.includes('..')
      : one === roleArn,
  );

/** Trust policy for the administrator of the role's account to paste. Source: IAM User Guide, "Confused deputy". */
export const trustPolicy = (principalArn: string, deploymentId: string, nameUser: boolean) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: principalArn },
      Action: nameUser
        ? ['sts:AssumeRole', 'sts:SetSourceIdentity', 'sts:TagSession']
        : 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': deploymentId } },
    },
  ],
});
