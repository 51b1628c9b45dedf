import { type CfnElement, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Effect, Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  type IVersion,
  type LayerVersion,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type EnvironmentName, type FunctionName, functions } from '../lambdas/manifest.ts';
import {
  acknowledgeSecrets,
  credentialGrants,
  credentialPrefix,
  grantCredentialsKey,
} from './credentials.ts';
import type { Data } from './data.ts';
import type { Keys } from './keys.ts';
import type { Stage } from './stage.ts';

export interface FunctionsProps {
  readonly data: Data;
  readonly keys: Keys;
  readonly layer: LayerVersion;
  /** Folder of each function's bundle. */
  readonly bundles: Readonly<Record<FunctionName, string>>;
  readonly baseUrl: string;
  readonly limits: Readonly<Record<string, number>>;
  readonly mail: Stage['mail'];
  readonly credentialStore: Stage['credentialStore'];
  readonly logRetention: RetentionDays;
}

type GrantProps = Pick<FunctionsProps, 'credentialStore' | 'data' | 'keys' | 'mail'>;

/** Functions that a function may invoke. */
interface Callees {
  readonly broker?: Alias;
  readonly router?: Alias;
}

const EDIT_ITEMS = [
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
];

/**
 * What each function may do: the whole list, for a reviewer to read. Nothing else is granted but
 * writing to the function's own log group. Source: architecture, "Permissions".
 */
const grantsOf = (
  name: FunctionName,
  props: GrantProps,
  { broker, router }: Callees,
): readonly PolicyStatement[] => {
  const { data, keys, mail } = props;
  const { tables, descriptions } = data;
  const { data: dataKey, signing } = keys;
  const deployments = tables.deployments.tableArn;
  const content = tables['deployment-content'].tableArn;
  const users = tables.users.tableArn;
  const oauth = tables.oauth.tableArn;
  const limits = tables.limits.tableArn;
  const events = tables['security-events'].tableArn;
  const mailIdentity = Stack.of(data).formatArn({
    service: 'ses',
    resource: 'identity',
    resourceName: mail.identity,
  });
  const files = descriptions.arnForObjects('deployments/*');

  const grants: Record<FunctionName, readonly PolicyStatement[]> = {
    router: [
      allow('ReadDeployments', [deployments], ['dynamodb:GetItem']),
      allow('ReadContent', [content], ['dynamodb:GetItem', 'dynamodb:Query']),
      allow('ReadTokens', [oauth], ['dynamodb:GetItem']),
      allow('CountRequests', [limits], ['dynamodb:GetItem', 'dynamodb:UpdateItem']),
      allow('RecordEvents', [events], ['dynamodb:PutItem']),
      allow('CountToolCalls', [events], ['dynamodb:UpdateItem']),
      allow('ReadFiles', [files], ['s3:GetObject']),
      allow('VerifyJwts', [signing.keyArn], ['kms:GetPublicKey']),
      ...(broker
        ? [allow('AskForCredentials', [broker.functionArn], ['lambda:InvokeFunction'])]
        : []),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], throughStorage(dataKey)),
      allow('WriteEncrypted', [dataKey.keyArn], ['kms:Encrypt'], throughStorage(dataKey)),
    ],
    oauth: [
      allow('KeepUsers', [users], EDIT_ITEMS),
      allow('KeepTokens', [oauth], EDIT_ITEMS),
      allow('ReadDeployments', [deployments], ['dynamodb:GetItem']),
      allow('ListDeploymentsOfAnOwner', [`${deployments}/index/by-owner`], ['dynamodb:Query']),
      allow('CountRequests', [limits], ['dynamodb:UpdateItem']),
      allow('RecordEvents', [events], ['dynamodb:PutItem']),
      allow('SignSessions', [signing.keyArn], ['kms:Sign', 'kms:GetPublicKey']),
      allow('SendMails', [mailIdentity], ['ses:SendEmail'], {
        StringEquals: { 'ses:FromAddress': mail.from },
      }),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], throughStorage(dataKey)),
      allow('WriteEncrypted', [dataKey.keyArn], ['kms:Encrypt'], throughStorage(dataKey)),
    ],
    management: [
      ...(router ? [allow('TryTools', [router.functionArn], ['lambda:InvokeFunction'])] : []),
      // The sweep looks for what crashes have left.
      allow('EditDeployments', [deployments], [...EDIT_ITEMS, 'dynamodb:Scan']),
      allow('ListDeploymentsOfAnOwner', [`${deployments}/index/by-owner`], ['dynamodb:Query']),
      allow(
        'WriteContent',
        [content],
        [...EDIT_ITEMS, 'dynamodb:Query', 'dynamodb:BatchWriteItem'],
      ),
      allow(
        'RemoveUsers',
        [users],
        ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
      ),
      allow('ReadSessions', [oauth], ['dynamodb:GetItem'], leadingKeys('SESSION#*')),
      allow(
        'EndGrants',
        [oauth],
        ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        leadingKeys('GRANT#*', 'AT#*'),
      ),
      allow(
        'ListGrantsAndTokens',
        [`${oauth}/index/by-deployment`, `${oauth}/index/by-user`],
        ['dynamodb:Query'],
      ),
      // Operators look for blocked addresses.
      allow('KeepLimits', [limits], [...EDIT_ITEMS, 'dynamodb:Scan']),
      allow('RecordEvents', [events], ['dynamodb:PutItem']),
      allow('ReadActivity', [events, `${events}/index/by-deployment`], ['dynamodb:Query']),
      allow('WriteFiles', [files], ['s3:GetObject', 's3:PutObject', 's3:DeleteObject']),
      allow('ListFiles', [descriptions.bucketArn], ['s3:ListBucket'], {
        StringLike: { 's3:prefix': 'deployments/*' },
      }),
      allow('SignMintedTokens', [signing.keyArn], ['kms:Sign', 'kms:GetPublicKey']),
      allow(
        'KeepMintedTokens',
        [oauth],
        ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
        leadingKeys('JTI#*'),
      ),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], throughStorage(dataKey)),
      allow(
        'WriteEncrypted',
        [dataKey.keyArn],
        ['kms:Encrypt', 'kms:GenerateDataKey'],
        throughStorage(dataKey),
      ),
    ],
    credentials: [
      allow('CountRetrievals', [limits], ['dynamodb:UpdateItem']),
      allow('RecordEvents', [events], ['dynamodb:PutItem']),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], throughStorage(dataKey)),
      allow('WriteEncrypted', [dataKey.keyArn], ['kms:Encrypt'], throughStorage(dataKey)),
    ],
  };
  return [...grants[name], ...credentialGrants(name, credentialPlace(props))];
};

/** One function per set of permissions, each published as a version behind an alias. */
export class Functions extends Construct {
  /** What routes and invocations target: code and layer frozen together, never `$LATEST`. */
  readonly aliases: Readonly<Record<FunctionName, Alias>>;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const names = Object.keys(functions) as FunctionName[];
    const broker = this.alias('credentials', props, {});
    const router = this.alias('router', props, { broker });
    const others = names.filter((name) => name !== 'credentials' && name !== 'router');
    const aliases = others.map((name) => [name, this.alias(name, props, { router })]);
    this.aliases = { ...Object.fromEntries(aliases), credentials: broker, router };
  }

  private alias(name: FunctionName, props: FunctionsProps, callees: Callees): Alias {
    const { description, memoryMb, timeoutSeconds } = functions[name];
    const scope = new Construct(this, capitalized(name));
    const logGroup = new LogGroup(scope, 'Logs', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    const policy = new Policy(scope, 'Grants', {
      roles: [role],
      statements: [
        allow(
          'WriteOwnLogs',
          [logGroup.logGroupArn],
          ['logs:CreateLogStream', 'logs:PutLogEvents'],
        ),
        ...grantsOf(name, props, callees),
      ],
    });
    grantCredentialsKey(name, role, credentialPlace(props));
    acknowledgeFiles(policy, props.data);
    acknowledgeSecrets(policy);

    const lambda = new LambdaFunction(scope, 'Function', {
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(props.bundles[name]),
      handler: 'index.handler',
      layers: [props.layer],
      memorySize: memoryMb,
      timeout: Duration.seconds(timeoutSeconds),
      environment: this.environment(name, props, callees),
      role,
      logGroup,
      loggingFormat: LoggingFormat.TEXT,
    });
    lambda.node.addDependency(policy);
    return new Alias(scope, 'Live', {
      aliasName: 'live',
      version: lambda.currentVersion as IVersion,
    });
  }

  private environment(
    name: FunctionName,
    { data, keys, baseUrl, limits, mail, credentialStore }: FunctionsProps,
    { broker, router }: Callees,
  ): Record<string, string> {
    const values: Record<EnvironmentName, string> = {
      BASE_URL: baseUrl,
      LIMITS: JSON.stringify(limits),
      DEPLOYMENTS_TABLE: data.tables.deployments.tableName,
      DEPLOYMENT_CONTENT_TABLE: data.tables['deployment-content'].tableName,
      USERS_TABLE: data.tables.users.tableName,
      OAUTH_TABLE: data.tables.oauth.tableName,
      LIMITS_TABLE: data.tables.limits.tableName,
      SECURITY_EVENTS_TABLE: data.tables['security-events'].tableName,
      DESCRIPTIONS_BUCKET: data.descriptions.bucketName,
      SIGNING_KEY_ID: keys.signing.keyArn,
      MAIL_FROM: mail.from,
      CREDENTIAL_STORE: credentialStore,
      CREDENTIAL_PREFIX: credentialPrefix(Stack.of(this)),
      CREDENTIALS_TABLE: data.tables.credentials.tableName,
      CREDENTIALS_KEY_ID: keys.credentials.keyArn,
      CREDENTIALS_FUNCTION: broker?.functionArn ?? '',
      ROUTER_FUNCTION: router?.functionArn ?? '',
    };
    return Object.fromEntries(functions[name].environment.map((key) => [key, values[key]]));
  }
}

const credentialPlace = ({ credentialStore, data, keys }: GrantProps) => ({
  store: credentialStore,
  key: keys.credentials,
  table: data.tables.credentials,
});

const allow = (
  sid: string,
  resources: string[],
  actions: string[],
  conditions: Record<string, unknown> = {},
): PolicyStatement =>
  new PolicyStatement({ sid, effect: Effect.ALLOW, resources, actions, conditions });

/** Only the items of one kind. */
const leadingKeys = (...patterns: readonly string[]): Record<string, unknown> => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
});

/** The data key serves a function only by way of the services that store. */
const throughStorage = (key: Keys['data']): Record<string, unknown> => {
  const { region, urlSuffix } = Stack.of(key);
  return {
    StringEquals: {
      'kms:ViaService': ['dynamodb', 's3'].map((service) => `${service}.${region}.${urlSuffix}`),
    },
  };
};

const acknowledgeFiles = (policy: Policy, { descriptions }: Data): void => {
  const bucket = Stack.of(policy).getLogicalId(descriptions.node.defaultChild as CfnElement);
  Validations.of(policy).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/deployments/*]`,
    reason: 'The objects below deployments/ of one bucket: their names are those of deployments.',
  });
};

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
