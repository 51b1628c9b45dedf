import { Token } from 'aws-cdk-lib';

/** Bytes of all names and values together. Source: AWS Lambda, "Lambda quotas". */
const MOST_BYTES = 4096;
/** What an ARN of ours takes at most, which is known only at the deployment. */
const UNKNOWN_BYTES = 150;

/**
 * A function with too large an environment would fail in the middle of a deployment.
 *
 * @throws Error that names the largest variable
 */
export const checkEnvironmentSize = (
  functionName: string,
  environment: Readonly<Record<string, string>>,
): void => {
  const sizes = Object.entries(environment).map(([name, value]) => ({
    name,
    bytes: name.length + bytesOf(value),
  }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= MOST_BYTES) return;
  const [largest] = sizes.toSorted((one, other) => other.bytes - one.bytes);
  throw new Error(
    `the environment of ${functionName} has ${total} bytes, and Lambda takes ${MOST_BYTES}: ` +
      `shorten what ${largest?.name} comes from (\`limits\`, \`allowed_redirect_uris\`, \`sign_up\`, \`networks\`)`,
  );
};

/** A text of several ARNs has a token for each. */
const bytesOf = (value: string): number => {
  const tokens = value.match(TOKEN) ?? [];
  if (tokens.length === 0 && Token.isUnresolved(value)) return UNKNOWN_BYTES;
  return Buffer.byteLength(value.replaceAll(TOKEN, '')) + tokens.length * UNKNOWN_BYTES;
};

const TOKEN = /\$\{Token\[[^\]]{0,100}\]\}/g;
