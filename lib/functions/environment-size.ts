import { CfnResource, Reference, Tokenization } from 'aws-cdk-lib';

/** Lambda's limit for names and values together. Source: AWS Lambda, "Lambda quotas". */
const MOST_BYTES = 4096;

/** Upper estimate for values known only at deployment, such as ARNs, names and addresses. */
const UNKNOWN_BYTES = 150;

/** Names contain the stack's, with up to 20 letters of the stage, and a suffix of CloudFormation. */
const BYTES_BY_TYPE: Readonly<Record<string, number>> = {
  'AWS::DynamoDB::Table': 100,
  'AWS::KMS::Key': 90,
  'AWS::Lambda::Function': 64,
  'AWS::S3::Bucket': 63,
};

/** Settings of the stage's file that make these variables long. */
const SETTING_OF: Readonly<Record<string, string>> = {
  NETWORK_FUNCTIONS: 'networks',
  SIGNING_KEY_IDS: 'signing_keys',
  MINTING_KEY_IDS: 'signing_keys',
  ORIGIN_SECRETS: 'edge.origin_secrets',
  BASE_URL: 'domain.name',
  MAIL_FROM: 'mail.from',
};

/** Refuses an environment that would fail mid-deployment. @throws Error that names the settings that take most */
export const checkEnvironmentSize = (
  functionName: string,
  environment: Readonly<Record<string, string>>,
): void => {
  const sizes = Object.entries(environment).map(
    ([name, value]) => [name, name.length + bytesOf(value)] as const,
  );
  const total = sumOf(sizes);
  if (total <= MOST_BYTES) return;
  const settings = [...new Set(Object.values(SETTING_OF))]
    .map(
      (setting) =>
        [setting, sumOf(sizes.filter(([name]) => SETTING_OF[name] === setting))] as const,
    )
    .filter(([, bytes]) => bytes > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([setting, bytes]) => `\`${setting}\` (${bytes} bytes)`);
  throw new Error(
    `the environment of ${functionName} may have ${total} bytes, and Lambda takes ${MOST_BYTES}: shorten ${settings.join(', or ')}`,
  );
};

const sumOf = (sizes: readonly (readonly [name: string, bytes: number])[]): number =>
  sizes.reduce((sum, [, bytes]) => sum + bytes, 0);

/** A text of several ARNs has a token for each. */
const bytesOf = (value: string): number =>
  Tokenization.reverseString(value).tokens.reduce(
    (sum, token) => sum + bytesOfToken(token),
    Buffer.byteLength(value.replaceAll(TOKEN, '')),
  );

const TOKEN = /\$\{Token\[[^\]]{0,100}\]\}/g;

const bytesOfToken = (token: unknown): number => {
  if (!Reference.isReference(token) || !CfnResource.isCfnResource(token.target)) {
    return UNKNOWN_BYTES;
  }
  return BYTES_BY_TYPE[token.target.cfnResourceType] ?? UNKNOWN_BYTES;
};
