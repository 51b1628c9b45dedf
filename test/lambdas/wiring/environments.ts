import { type EnvironmentName, functions, type FunctionName } from '../../../lambdas/manifest.ts';
import { roleArn } from '../../../local/aws/iam/evaluate.ts';
import { ASSUMABLE_ROLES } from '../../../local/run/policies.ts';
import { CREDENTIAL_PREFIX, MAIL_FROM, type TestAws } from '../../support/aws/aws.ts';

const values = (aws: TestAws): Record<EnvironmentName, string> => ({
  BASE_URL: 'http://127.0.0.1:8787/v1',
  ORIGIN_SECRETS: '',
  LIMITS: '',
  DEPLOYMENTS_TABLE: aws.tableName('deployments'),
  DEPLOYMENT_CONTENT_TABLE: aws.tableName('deployment-content'),
  USERS_TABLE: aws.tableName('users'),
  OAUTH_TABLE: aws.tableName('oauth'),
  LIMITS_TABLE: aws.tableName('limits'),
  CALLS_TABLE: aws.tableName('calls'),
  RECORDED_CALLS_TABLE: aws.tableName('recorded-calls'),
  SECURITY_EVENTS_TABLE: aws.tableName('security-events'),
  DESCRIPTIONS_BUCKET: aws.bucket,
  ANSWERS_BUCKET: aws.answersBucket,
  SIGNING_KEY_IDS: aws.signingKey,
  MINTING_KEY_IDS: aws.mintingKey,
  MAIL_FROM,
  MAIL_CONFIGURATION_SET: aws.mailConfigurationSet,
  SIGN_UP: 'open',
  NEW_ACCOUNT_PLAN: 'free',
  ALLOWED_REDIRECT_URIS: '[]',
  ROOT_AUTHORIZATION_SERVER: 'false',
  PROTOCOL_VERSIONS: '',
  SERVER_CARDS: '',
  LOG_LEVEL: '',
  IDENTITY_PROVIDERS: '',
  CLIENT_DOCUMENT_HOSTS: '',
  MODEL_HOSTS: '',
  ASSUMABLE_ROLES: JSON.stringify([ASSUMABLE_ROLES]),
  CONNECTIONS_ROLE: roleArn('connections'),
  NETWORKS: '',
  NETWORK_FUNCTIONS: '',
  CREDENTIAL_STORE: 'secrets-manager',
  CREDENTIAL_STORE_FORMER: '',
  CREDENTIAL_PREFIX,
  CREDENTIALS_TABLE: aws.tableName('credentials'),
  CREDENTIALS_KEY_ID: aws.credentialsKey,
  CONNECTIONS_TABLE: aws.tableName('connections'),
  CREDENTIALS_FUNCTION: 'credentials:live',
  CONNECTIONS_FUNCTION: 'connections:live',
  ROUTER_FUNCTION: 'router:live',
  MAILS_FUNCTION: 'mails:live',
  MANAGEMENT_FUNCTION: 'management:live',
  UNSENT_MAILS_QUEUE: aws.queueUrl('unsent-mails'),
  UNSTORED_CALLS_QUEUE: aws.queueUrl('unstored-calls'),
  UNSTORABLE_CALLS_QUEUE: aws.queueUrl('unstorable-calls'),
  UNDELIVERED_COMMANDS_QUEUE: aws.queueUrl('undelivered-commands'),
});

/** What a function is given: what AWS puts there, and the variables that the manifest names; no others. */
export const environmentOf = (aws: TestAws, name: FunctionName): Record<string, string> => ({
  ...aws.aws.environment(name),
  ...Object.fromEntries(
    functions[name].environment.map((variable) => [variable, values(aws)[variable]]),
  ),
});
