import type { FunctionName } from '../../../lambdas/manifest.ts';
import { type Places, placesOf, settingsOf, textsOf } from '../../../lib/stage/variables.ts';
import { roleArn } from '../../../local/aws/iam/evaluate.ts';
import { ASSUMABLE_ROLES } from '../../../local/run/policies.ts';
import { CREDENTIAL_PREFIX, MAIL_FROM, type TestAws } from '../../support/aws/aws.ts';

const placesIn = (aws: TestAws): Places => ({
  table: aws.tableName,
  bucket: (name) => ({ descriptions: aws.bucket, answers: aws.answersBucket })[name],
  queue: aws.queueUrl,
  invoked: (name) => `${name}:live`,
  networks: [],
  others: {
    BASE_URL: 'http://127.0.0.1:8787/v1',
    ORIGIN_SECRETS: '',
    SIGNING_KEY_IDS: aws.signingKey,
    MINTING_KEY_IDS: aws.mintingKey,
    MAIL_FROM,
    MAIL_CONFIGURATION_SET: aws.mailConfigurationSet,
    CONNECTIONS_ROLE: roleArn('connections'),
    CREDENTIAL_PREFIX,
    CREDENTIALS_KEY_ID: aws.credentialsKey,
  },
});

const TEXTS = textsOf({ assumableRoles: [ASSUMABLE_ROLES], credentialStore: 'secrets-manager' });

/** What a function is given: what AWS puts there, its settings, and the variables of the manifest; no others. */
export const environmentOf = (aws: TestAws, name: FunctionName): Record<string, string> => ({
  ...aws.aws.environment(name),
  ...placesOf(name, placesIn(aws)),
  ...settingsOf(name, TEXTS, false),
  ...settingsOf(name, TEXTS, true),
});
