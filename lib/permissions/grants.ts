import { Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { ConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { FunctionName } from '../../lambdas/manifest.ts';
import { credentialGrants, providerSecretGrant, tokenGrant } from '../data/credentials.ts';
import type { Data } from '../data/data.ts';
import type { Keys } from '../data/keys.ts';
import type { Stage } from '../stage/stage.ts';
import {
  allow,
  leadingKeys,
  onlyAttributes,
  otherLeadingKeys,
  through,
  throughStorage,
} from './statements.ts';

export interface GrantProps {
  readonly data: Data;
  readonly keys: Keys;
  readonly stage: Pick<
    Stage,
    'assumableRoles' | 'credentialStore' | 'credentialStoreFormer' | 'mail'
  >;
  readonly unstoredCalls: Queue;
  readonly unstorableCalls: Queue;
  readonly unsentMails: Queue;
  readonly undeliveredCommands: Queue;
  readonly untallied: Queue;
  /** SES set that reports bounces and complaints. */
  readonly mailConfigurationSet: ConfigurationSet;
}

export interface Callees {
  readonly broker?: Alias;
  readonly connections?: Alias;
  readonly networks?: readonly Alias[];
  readonly router?: Alias;
  readonly mails?: Alias;
  readonly management?: Alias;
  readonly identity?: Alias;
}

const EDIT_ITEMS = [
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
];

/** User attributes that maintenance may read about a person: no password hash, and no secret of a mailed link. */
const USER_ATTRIBUTES = [
  'pk',
  'kind',
  'id',
  'email',
  'name',
  'plan',
  'operator',
  'signedOutAt',
  'createdAt',
  'userId',
  'purpose',
  'reason',
  'since',
  'accountHash',
  'failures',
  'failedAt',
  'expiresAt',
];

/** UpdateItem counts repeated events. */
const RECORD_EVENTS = ['dynamodb:PutItem', 'dynamodb:UpdateItem'];

/** All that functions may do, for reviewers; besides, each writes its own log. Source: docs/aws.md, "Permissions". */
export const grantsOf = (
  name: FunctionName,
  props: GrantProps,
  { broker, connections, networks = [], router, mails, management, identity }: Callees,
): readonly PolicyStatement[] => {
  const { data, keys } = props;
  const { mail, assumableRoles } = props.stage;
  const { tables, buckets } = data;
  const { data: dataKey } = keys;
  const signingKeys = keys.signing.map(({ keyArn }) => keyArn);
  const mintingKeys = keys.minting.map(({ keyArn }) => keyArn);
  const deployments = tables.deployments.tableArn;
  const content = tables['deployment-content'].tableArn;
  const users = tables.users.tableArn;
  const oauth = tables.oauth.tableArn;
  const limits = tables.limits.tableArn;
  const events = tables['security-events'].tableArn;
  const calls = tables.calls.tableArn;
  const recorded = tables['recorded-calls'].tableArn;
  const tokens = tables.connections.tableArn;
  const ses = (resource: string, resourceName: string) =>
    Stack.of(data).formatArn({ service: 'ses', resource, resourceName });
  // SES also checks the address itself where somebody has verified it beside its domain.
  const mailIdentities = [...new Set([mail.identity, mail.from])].map((one) =>
    ses('identity', one),
  );
  const mailSet = ses('configuration-set', props.mailConfigurationSet.configurationSetName);
  const files = buckets.descriptions.arnForObjects('deployments/*');
  const answers = buckets.answers.arnForObjects('*');

  const grants: Record<FunctionName, readonly PolicyStatement[]> = {
    router: [
      allow('ReadDeployments', [deployments], ['dynamodb:GetItem']),
      allow('ReadContent', [content], ['dynamodb:GetItem', 'dynamodb:Query']),
      allow(
        'ReadTokens',
        [oauth],
        ['dynamodb:GetItem'],
        leadingKeys(
          'AT#*',
          'JTI#*',
          'SESSION#*',
          'SIGNEDOUT#*',
          'SIGNINGKEYS',
          'NOTBEFORE',
          'PROVIDERS',
        ),
      ),
      allow(
        'CountRequests',
        [limits],
        ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        leadingKeys(
          'USAGE#*',
          'public_requests_per_minute_per_ip#*',
          'invalid_tokens_per_minute_per_ip#*',
          'kept_answers_per_hour_per_caller#*',
        ),
      ),
      allow('RecordEvents', [events], RECORD_EVENTS, leadingKeys('SUBJECT#*')),
      allow('ReadFiles', [files], ['s3:GetObject']),
      allow('KeepAnswers', [answers], ['s3:GetObject', 's3:PutObject']),
      allow('VerifyJwts', [...signingKeys, ...mintingKeys], ['kms:GetPublicKey']),
      ...(broker && connections
        ? [
            allow(
              'AskForCredentials',
              [broker.functionArn, connections.functionArn],
              ['lambda:InvokeFunction'],
            ),
          ]
        : []),
      ...(networks.length > 0
        ? [
            allow(
              'CallInNetworks',
              networks.map(({ functionArn }) => functionArn),
              ['lambda:InvokeFunction'],
            ),
          ]
        : []),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], throughStorage(dataKey)),
      allow('EncryptAnswers', [dataKey.keyArn], ['kms:GenerateDataKey'], through(dataKey, ['s3'])),
    ],
    oauth: [
      allow(
        'KeepUsers',
        [users],
        EDIT_ITEMS,
        leadingKeys('DEVICE#*', 'EMAIL#*', 'IDENTITY#*', 'LOCK#*', 'MAIL#*', 'USER#*'),
      ),
      // To ask companies about inactive people; the index has no secret of a user.
      allow('ListUsers', [`${users}/index/by-email`], ['dynamodb:Query'], leadingKeys('user')),
      // For commands of operators, which IAM guards; no request of a person reads a mark. Yet whoever controls this
      // function can make anybody an operator.
      allow(
        'MarkOperators',
        [users],
        ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
        leadingKeys('OPERATOR#*'),
      ),
      allow(
        'KeepTokens',
        [oauth],
        EDIT_ITEMS,
        leadingKeys(
          'ASSERTION#*',
          'AT#*',
          'AUTHREQ#*',
          'CLICODE#*',
          'CLIENT#*',
          'CODE#*',
          'CONSOLELINK#*',
          'GRANT#*',
          'NOTBEFORE',
          'RT#*',
          'SESSION#*',
          'SIGNEDOUT#*',
          'SIGNIN#*',
          'SIGNINGKEYS',
        ),
      ),
      // Tokens for machines, for 15 minutes; tokens of people and trusts are out of reach.
      allow('SignMachinesIn', [oauth], ['dynamodb:PutItem'], leadingKeys('PAT#machine-*')),
      // Identity providers and trusts are written by maintenance and management, and only read here.
      allow('ReadTrusts', [oauth], ['dynamodb:GetItem'], leadingKeys('PROVIDERS', 'TRUST#*')),
      // The index has grants, too: only the partitions of sessions.
      allow(
        'ListSessions',
        [`${oauth}/index/by-user`],
        ['dynamodb:Query'],
        leadingKeys('SESSION#*'),
      ),
      allow('ReadDeployments', [deployments], ['dynamodb:GetItem']),
      allow('ListDeploymentsOfAnOwner', [`${deployments}/index/by-owner`], ['dynamodb:Query']),
      allow(
        'CountRequests',
        [limits],
        ['dynamodb:UpdateItem'],
        leadingKeys(
          'account_requests_per_hour_per_ip#*',
          'authorize_per_*',
          'client_assertions_per_minute_per_*',
          'console_tokens_per_minute_per_user#*',
          'hosted_registration_per_hour_per_ip#*',
          'company_sign_ins_per_minute_per_ip#*',
          'invalid_tokens_per_minute_per_ip#*',
          'logins_per_minute_per_ip#*',
          'registration_per_hour_per_ip#*',
          'token_per_minute_per_client#*',
        ),
      ),
      allow('RecordEvents', [events], RECORD_EVENTS, leadingKeys('SUBJECT#*')),
      allow('SignSessions', signingKeys, ['kms:Sign', 'kms:GetPublicKey']),
      allow('PublishMintingKeys', mintingKeys, ['kms:GetPublicKey']),
      ...(mails ? [allow('AskForMails', [mails.functionArn], ['lambda:InvokeFunction'])] : []),
      ...(identity
        ? [allow('AskProviders', [identity.functionArn], ['lambda:InvokeFunction'])]
        : []),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
    ],
    // Only this function can open our secrets at identity providers and what these gave for people.
    identity: [
      allow('ReadProviders', [oauth], ['dynamodb:GetItem'], leadingKeys('PROVIDERS')),
      allow(
        'KeepProviderSecrets',
        [oauth],
        ['dynamodb:GetItem', 'dynamodb:PutItem'],
        leadingKeys('PROVIDERSECRET#*'),
      ),
      allow(
        'KeepPersons',
        [tokens],
        ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        leadingKeys('PERSON#*'),
      ),
      allow('RecordEvents', [events], ['dynamodb:PutItem'], leadingKeys('SUBJECT#*')),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
      providerSecretGrant(keys.credentials),
    ],
    mails: [
      // Only the user id of an address.
      allow('FindAccounts', [users], ['dynamodb:GetItem'], leadingKeys('EMAIL#*')),
      allow('KeepMailTokens', [users], ['dynamodb:PutItem'], leadingKeys('MAIL#*')),
      allow(
        'KeepUndeliverable',
        [users],
        ['dynamodb:GetItem', 'dynamodb:PutItem'],
        leadingKeys('UNDELIVERABLE#*'),
      ),
      allow('RecordEvents', [events], ['dynamodb:PutItem'], leadingKeys('SUBJECT#*')),
      allow(
        'CountMails',
        [limits],
        ['dynamodb:UpdateItem'],
        leadingKeys('mails_per_*', 'SENTMAIL#*'),
      ),
      allow('SendMails', [...mailIdentities, mailSet], ['ses:SendEmail'], {
        StringEquals: { 'ses:FromAddress': mail.from },
      }),
      allow('KeepUnsent', [props.unsentMails.queueArn], ['sqs:SendMessage']),
      allow(
        'EncryptUnsent',
        [dataKey.keyArn],
        ['kms:GenerateDataKey', 'kms:Decrypt'],
        through(dataKey, ['sqs']),
      ),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
    ],
    management: [
      // To try tools, request mails, and ask companies about people.
      ...(router && mails && identity
        ? [
            allow(
              'AskOthers',
              [router, mails, identity].map(({ functionArn }) => functionArn),
              ['lambda:InvokeFunction'],
            ),
          ]
        : []),
      allow('EditDeployments', [deployments], EDIT_ITEMS),
      allow(
        'WriteContent',
        [content],
        [...EDIT_ITEMS, 'dynamodb:Query', 'dynamodb:BatchWriteItem'],
      ),
      allow(
        'ChangeUsers',
        [users],
        // ConditionCheckItem: a new deployment requires that its owner still exists.
        [
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:DeleteItem',
          'dynamodb:ConditionCheckItem',
        ],
        leadingKeys('USER#*', 'EMAIL#*', 'IDENTITY#*'),
      ),
      // It cannot make anybody an operator.
      allow(
        'ReadOperators',
        [users],
        ['dynamodb:GetItem', 'dynamodb:DeleteItem'],
        leadingKeys('OPERATOR#*'),
      ),
      // For operators: the index has no secret of a user.
      allow('ListUsers', [`${users}/index/by-email`], ['dynamodb:Query'], leadingKeys('user')),
      allow(
        'ReadSessions',
        [oauth],
        ['dynamodb:GetItem'],
        leadingKeys('SESSION#*', 'NOTBEFORE', 'PROVIDERS', 'SIGNINGKEYS'),
      ),
      allow(
        'EndGrants',
        [oauth],
        ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        leadingKeys('GRANT#*'),
      ),
      allow('EndAccessTokens', [oauth], ['dynamodb:UpdateItem'], leadingKeys('AT#*')),
      // The index by user also has sessions, which it may not list.
      allow(
        'ListGrantsAndTokens',
        [`${oauth}/index/by-deployment`, `${oauth}/index/by-user`],
        ['dynamodb:Query'],
        otherLeadingKeys('SESSION#*'),
      ),
      allow(
        'KeepLimits',
        [limits],
        EDIT_ITEMS,
        leadingKeys(
          'IDEMPOTENCY#*',
          'LEASE#*',
          'USAGE#*',
          'description_fetches_per_hour_per_user#*',
          'gallery_per_*',
          'invitations_per_day_per_user#*',
          'management_requests_per_minute_per_user#*',
          // Operators unblock addresses.
          'public_requests_per_minute_per_ip#*',
          // Keys of recorded calls, which no other function reads.
          'RECORDING#*',
          'trials_per_hour_per_user#*',
        ),
      ),
      allow('RecordEvents', [events], ['dynamodb:PutItem'], leadingKeys('SUBJECT#*')),
      // Deployments of an owner, security events, and calls.
      allow(
        'ReadLists',
        [
          `${deployments}/index/by-owner`,
          events,
          `${events}/index/by-deployment`,
          `${events}/index/by-account`,
          calls,
        ],
        ['dynamodb:Query'],
      ),
      // Sealed for the keys in `RECORDING#*`.
      allow('ReadRecordedCalls', [recorded], ['dynamodb:Query', 'dynamodb:DeleteItem']),
      allow('WriteFiles', [files], ['s3:GetObject', 's3:PutObject', 's3:DeleteObject']),
      allow('ListFiles', [buckets.descriptions.bucketArn], ['s3:ListBucket'], {
        StringLike: { 's3:prefix': 'deployments/*' },
      }),
      allow('VerifySessions', signingKeys, ['kms:GetPublicKey']),
      allow('SignMintedTokens', mintingKeys, ['kms:Sign', 'kms:GetPublicKey']),
      allow(
        'KeepTokens',
        [oauth],
        ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
        // `SIGNEDOUT#*` records who was signed out.
        leadingKeys('JTI#*', 'PAT#*', 'SIGNEDOUT#*', 'TRUST#*'),
      ),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], throughStorage(dataKey)),
      allow('EncryptFiles', [dataKey.keyArn], ['kms:GenerateDataKey'], through(dataKey, ['s3'])),
    ],
    // The only function that scans tables; it has no routes.
    maintenance: [
      allow('SearchTables', [deployments, limits, oauth, events, calls], ['dynamodb:Scan']),
      allow(
        'FinishRemovals',
        [deployments],
        EDIT_ITEMS,
        leadingKeys('SLUG#*', 'REMOVED#*', 'RESERVED#*', 'SWEEP'),
      ),
      allow('ReadOwners', [deployments], ['dynamodb:GetItem'], leadingKeys('OWNER#*')),
      allow(
        'RemoveContent',
        [content],
        ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:BatchWriteItem'],
      ),
      // `NOTBEFORE`: the list of ended users loses an erased person.
      allow(
        'EndGrants',
        [oauth],
        ['dynamodb:UpdateItem'],
        leadingKeys('GRANT#*', 'AT#*', 'JTI#*', 'NOTBEFORE', 'PROVIDERS'),
      ),
      allow('ListGrantsAndTokens', [`${oauth}/index/by-deployment`], ['dynamodb:Query']),
      allow(
        'AllowMails',
        [users],
        ['dynamodb:GetItem', 'dynamodb:DeleteItem'],
        leadingKeys('UNDELIVERABLE#*'),
      ),
      allow('SearchUsers', [users], ['dynamodb:Scan'], onlyAttributes(USER_ATTRIBUTES)),
      allow(
        'ErasePersons',
        [users],
        ['dynamodb:DeleteItem'],
        leadingKeys('DEVICE#*', 'IDENTITY#*', 'LOCK#*', 'MAIL#*', 'OPERATOR#*'),
      ),
      allow(
        'EraseGrants',
        [oauth],
        ['dynamodb:DeleteItem'],
        leadingKeys('AT#*', 'CODE#*', 'GRANT#*', 'PAT#*', 'SESSION#*', 'SIGNEDOUT#*', 'TRUST#*'),
      ),
      allow('EraseCounts', [limits], ['dynamodb:DeleteItem']),
      allow('FindRefused', [calls], ['dynamodb:Query'], leadingKeys('CREDENTIALREFUSED')),
      allow('EraseCallers', [calls], ['dynamodb:UpdateItem'], leadingKeys('CALLS#*')),
      allow(
        'LiftBlocks',
        [limits],
        ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        leadingKeys('public_requests_per_minute_per_ip#*'),
      ),
      allow(
        'RecordEvents',
        [events],
        ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
        leadingKeys('SUBJECT#*'),
      ),
      allow('RemoveFiles', [files], ['s3:DeleteObject']),
      allow('ListFiles', [buckets.descriptions.bucketArn], ['s3:ListBucket'], {
        StringLike: { 's3:prefix': 'deployments/*' },
      }),
      allow(
        'FetchFailed',
        [props.unsentMails, props.unstorableCalls, props.undeliveredCommands].map(
          ({ queueArn }) => queueArn,
        ),
        ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      ),
      allow('StoreAgain', [props.unstoredCalls.queueArn], ['sqs:SendMessage']),
      // To send failed mails again, and to have deployments taken care of.
      ...(mails && management
        ? [
            allow(
              'AskOthers',
              [mails.functionArn, management.functionArn],
              ['lambda:InvokeFunction'],
            ),
          ]
        : []),
      allow(
        'ReadEncrypted',
        [dataKey.keyArn],
        ['kms:Decrypt'],
        through(dataKey, ['dynamodb', 'sqs']),
      ),
    ],
    credentials: [
      allow('CountRetrievals', [limits], ['dynamodb:UpdateItem'], leadingKeys('credential_*')),
      allow('RecordEvents', [events], ['dynamodb:PutItem'], leadingKeys('SUBJECT#*')),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
    ],
    // Uses credentials that no other function reads to get tokens from others.
    connections: [
      allow(
        'KeepTokens',
        [tokens],
        ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        leadingKeys('TOKEN#*'),
      ),
      // To check whose token a caller showed: the router's word for the user is not believed.
      allow(
        'NameCallers',
        [oauth],
        ['dynamodb:GetItem'],
        leadingKeys('AT#*', 'NOTBEFORE', 'SIGNEDOUT#*'),
      ),
      allow('CountRetrievals', [limits], ['dynamodb:UpdateItem'], leadingKeys('connection_*')),
      allow('RecordEvents', [events], ['dynamodb:PutItem'], leadingKeys('SUBJECT#*')),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
      tokenGrant(keys.credentials),
      // Only the roles that the operator lists; each must trust this role in its own account.
      ...(assumableRoles.length > 0
        ? [
            allow(
              'AssumeRoles',
              [...assumableRoles],
              ['sts:AssumeRole', 'sts:SetSourceIdentity', 'sts:TagSession'],
            ),
          ]
        : []),
    ],
    // Its files are in its bundle.
    console: [],
    activity: [
      // It only adds calls and cannot read any.
      allow(
        'StoreCalls',
        [calls],
        ['dynamodb:PutItem'],
        leadingKeys('CALLS#*', 'CREDENTIALREFUSED', 'TOUCHED#*'),
      ),
      // It has no key to open them.
      allow('StoreRecordedCalls', [recorded], ['dynamodb:PutItem']),
      allow(
        'TryAgain',
        [props.unstoredCalls.queueArn],
        ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      ),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
    ],
    tally: [
      allow(
        'ReadCalls',
        [calls],
        ['dynamodb:GetItem', 'dynamodb:Query'],
        leadingKeys('CALLHOURS#*', 'CALLMINUTES#*', 'CALLS#*', 'TALLIED', 'TOUCHED#*'),
      ),
      allow(
        'KeepCounts',
        [calls],
        ['dynamodb:PutItem'],
        leadingKeys('CALLHOURS#*', 'CALLMINUTES#*', 'TALLIED'),
      ),
      allow(
        'CountAgain',
        [props.untallied.queueArn],
        ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'],
      ),
      // Operators name a server by its slug, and their command is recorded.
      allow('FindServers', [deployments], ['dynamodb:GetItem'], leadingKeys('SLUG#*')),
      allow('RecordEvents', [events], ['dynamodb:PutItem'], leadingKeys('SUBJECT#*')),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
    ],
  };
  return [...grants[name], ...credentialGrants(name, credentialPlace(props))];
};

/** Grants for a function's own alias, which exists only after all its other grants. */
export const grantsToItself = (name: FunctionName, alias: Alias): readonly PolicyStatement[] =>
  name === 'tally' ? [allow('CountInParts', [alias.functionArn], ['lambda:InvokeFunction'])] : [];

const credentialPlace = ({ data, keys, stage }: GrantProps) => ({
  store: stage.credentialStore,
  former: stage.credentialStoreFormer,
  key: keys.credentials,
  table: data.tables.credentials,
});
