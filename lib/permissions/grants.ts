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
  allowItems,
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

export type Callees = Readonly<Partial<Record<FunctionName, Alias>>> & {
  readonly networks?: readonly Alias[];
};

const EDIT_ITEMS = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'];

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
const RECORD_EVENTS = ['PutItem', 'UpdateItem'];

/** All that functions may do, for reviewers; besides, each writes its own log. Source: docs/aws.md, "Permissions". */
export const grantsOf = (
  name: FunctionName,
  props: GrantProps,
  { credentials, connections, networks = [], router, mails, management, identity }: Callees,
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
  // SES also checks the sender's address itself, where somebody has verified it beside its domain.
  const mailIdentities = [...new Set([mail.identity, mail.from])].map((one) =>
    ses('identity', one),
  );
  const mailSet = ses('configuration-set', props.mailConfigurationSet.configurationSetName);
  const files = buckets.descriptions.arnForObjects('deployments/*');
  const answers = buckets.answers.arnForObjects('*');

  const grants: Record<FunctionName, readonly PolicyStatement[]> = {
    router: [
      allowItems('ReadDeployments', ['GetItem'], deployments),
      allowItems('ReadContent', ['GetItem', 'Query'], content),
      allowItems('ReadTokens', ['GetItem'], oauth, [
        'AT#*',
        'JTI#*',
        'SESSION#*',
        'SIGNEDOUT#*',
        'SIGNINGKEYS',
        'NOTBEFORE',
        'PROVIDERS',
      ]),
      allowItems('CountRequests', ['GetItem', 'UpdateItem'], limits, [
        'USAGE#*',
        'public_requests_per_minute_per_ip#*',
        'invalid_tokens_per_minute_per_ip#*',
        'kept_answers_per_hour_per_caller#*',
      ]),
      allowItems('RecordEvents', RECORD_EVENTS, events, ['SUBJECT#*']),
      allow('ReadFiles', [files], ['s3:GetObject']),
      allow('KeepAnswers', [answers], ['s3:GetObject', 's3:PutObject']),
      allow('VerifyJwts', [...signingKeys, ...mintingKeys], ['kms:GetPublicKey']),
      ...invoking('AskForCredentials', credentials, connections),
      ...invoking('CallInNetworks', ...networks),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], throughStorage(dataKey)),
      allow('EncryptAnswers', [dataKey.keyArn], ['kms:GenerateDataKey'], through(dataKey, ['s3'])),
    ],
    oauth: [
      allowItems('KeepUsers', EDIT_ITEMS, users, [
        'DEVICE#*',
        'EMAIL#*',
        'IDENTITY#*',
        'LOCK#*',
        'MAIL#*',
        'USER#*',
      ]),
      // Companies are asked about inactive people, too; the index has no secret of a user.
      allowItems('ListUsers', ['Query'], `${users}/index/by-email`, ['user']),
      // Commands of operators, which IAM guards, mark operators; no request of a person reads a mark. Yet whoever
      // controls this function can make anybody an operator.
      allowItems('MarkOperators', ['GetItem', 'PutItem', 'DeleteItem'], users, ['OPERATOR#*']),
      allowItems('KeepTokens', EDIT_ITEMS, oauth, [
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
      ]),
      // Machines get tokens for 15 minutes here; this grant writes neither tokens of people nor trusts.
      allowItems('SignMachinesIn', ['PutItem'], oauth, ['PAT#machine-*']),
      // Identity providers and trusts are written by maintenance and management, and only read here.
      allowItems('ReadTrusts', ['GetItem'], oauth, ['PROVIDERS', 'TRUST#*']),
      // The index has grants, too, of which this allows none: only the partitions of sessions.
      allowItems('ListSessions', ['Query'], `${oauth}/index/by-user`, ['SESSION#*']),
      allowItems('ReadDeployments', ['GetItem'], deployments),
      allowItems('ListDeploymentsOfAnOwner', ['Query'], `${deployments}/index/by-owner`),
      allowItems('CountRequests', ['UpdateItem'], limits, [
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
      ]),
      allowItems('RecordEvents', RECORD_EVENTS, events, ['SUBJECT#*']),
      allow('SignSessions', signingKeys, ['kms:Sign', 'kms:GetPublicKey']),
      allow('PublishMintingKeys', mintingKeys, ['kms:GetPublicKey']),
      ...invoking('AskForMails', mails),
      ...invoking('AskProviders', identity),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
    ],
    // The function `identity` alone can open our secrets at identity providers and what these gave for people.
    identity: [
      allowItems('ReadProviders', ['GetItem'], oauth, ['PROVIDERS']),
      allowItems('KeepProviderSecrets', ['GetItem', 'PutItem'], oauth, ['PROVIDERSECRET#*']),
      allowItems('KeepPersons', ['GetItem', 'UpdateItem'], tokens, ['PERSON#*']),
      allowItems('RecordEvents', ['PutItem'], events, ['SUBJECT#*']),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
      providerSecretGrant(keys.credentials),
    ],
    mails: [
      // An address leads to the user's id, and to nothing else of a user.
      allowItems('FindAccounts', ['GetItem'], users, ['EMAIL#*']),
      allowItems('KeepMailTokens', ['PutItem'], users, ['MAIL#*']),
      allowItems('KeepUndeliverable', ['GetItem', 'PutItem'], users, ['UNDELIVERABLE#*']),
      allowItems('RecordEvents', ['PutItem'], events, ['SUBJECT#*']),
      allowItems('CountMails', ['UpdateItem'], limits, ['mails_per_*', 'SENTMAIL#*']),
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
      // Tools are tried by the router, mails sent by another function, and companies asked by a third.
      ...invoking('AskOthers', router, mails, identity),
      allowItems('EditDeployments', EDIT_ITEMS, deployments),
      allowItems('WriteContent', [...EDIT_ITEMS, 'Query', 'BatchWriteItem'], content),
      // ConditionCheckItem: a new deployment requires that its owner still exists.
      allowItems('ChangeUsers', ['GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'], users, [
        'USER#*',
        'EMAIL#*',
        'IDENTITY#*',
      ]),
      // Management cannot make anybody an operator.
      allowItems('ReadOperators', ['GetItem', 'DeleteItem'], users, ['OPERATOR#*']),
      // Operators list users; the index has no secret of a user.
      allowItems('ListUsers', ['Query'], `${users}/index/by-email`, ['user']),
      allowItems('ReadSessions', ['GetItem'], oauth, [
        'SESSION#*',
        'NOTBEFORE',
        'PROVIDERS',
        'SIGNINGKEYS',
      ]),
      allowItems('EndGrants', ['GetItem', 'UpdateItem'], oauth, ['GRANT#*']),
      allowItems('EndAccessTokens', ['UpdateItem'], oauth, ['AT#*']),
      // The index by user also has sessions, which it may not list.
      allow(
        'ListGrantsAndTokens',
        [`${oauth}/index/by-deployment`, `${oauth}/index/by-user`],
        ['dynamodb:Query'],
        otherLeadingKeys('SESSION#*'),
      ),
      allowItems('KeepLimits', EDIT_ITEMS, limits, [
        'IDEMPOTENCY#*',
        'LEASE#*',
        'USAGE#*',
        'description_fetches_per_hour_per_user#*',
        'gallery_per_*',
        'invitations_per_day_per_user#*',
        'management_requests_per_minute_per_user#*',
        // Operators unblock addresses by these keys.
        'public_requests_per_minute_per_ip#*',
        // Keys of recorded calls: no other function asks for them, and `maintenance`, which scans the table, cannot
        // read these calls.
        'RECORDING#*',
        'trials_per_hour_per_user#*',
      ]),
      allowItems('RecordEvents', ['PutItem'], events, ['SUBJECT#*']),
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
      // Recorded calls are sealed with the keys in `RECORDING#*`.
      allowItems('ReadRecordedCalls', ['Query', 'DeleteItem'], recorded),
      allow('WriteFiles', [files], ['s3:GetObject', 's3:PutObject', 's3:DeleteObject']),
      allow('ListFiles', [buckets.descriptions.bucketArn], ['s3:ListBucket'], {
        StringLike: { 's3:prefix': 'deployments/*' },
      }),
      allow('VerifySessions', signingKeys, ['kms:GetPublicKey']),
      allow('SignMintedTokens', mintingKeys, ['kms:Sign', 'kms:GetPublicKey']),
      allowItems('KeepTokens', ['GetItem', 'PutItem', 'UpdateItem'], oauth, [
        'JTI#*',
        'PAT#*',
        // `SIGNEDOUT#*` records who was signed out.
        'SIGNEDOUT#*',
        'TRUST#*',
      ]),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], throughStorage(dataKey)),
      allow('EncryptFiles', [dataKey.keyArn], ['kms:GenerateDataKey'], through(dataKey, ['s3'])),
    ],
    // Maintenance alone scans tables, and has no routes.
    maintenance: [
      allow('SearchTables', [deployments, limits, oauth, events, calls], ['dynamodb:Scan']),
      allowItems('FinishRemovals', EDIT_ITEMS, deployments, [
        'SLUG#*',
        'REMOVED#*',
        'RESERVED#*',
        'SWEEP',
      ]),
      allowItems('ReadOwners', ['GetItem'], deployments, ['OWNER#*']),
      allowItems('RemoveContent', ['GetItem', 'Query', 'BatchWriteItem'], content),
      // Erased people are also removed from the list of ended users (`NOTBEFORE`).
      allowItems('EndGrants', ['UpdateItem'], oauth, [
        'GRANT#*',
        'AT#*',
        'JTI#*',
        'NOTBEFORE',
        'PROVIDERS',
      ]),
      allowItems('ListGrantsAndTokens', ['Query'], `${oauth}/index/by-deployment`),
      allowItems('AllowMails', ['GetItem', 'DeleteItem'], users, ['UNDELIVERABLE#*']),
      allow('SearchUsers', [users], ['dynamodb:Scan'], onlyAttributes(USER_ATTRIBUTES)),
      allowItems('ErasePersons', ['DeleteItem'], users, [
        'DEVICE#*',
        'IDENTITY#*',
        'LOCK#*',
        'MAIL#*',
        'OPERATOR#*',
      ]),
      allowItems('EraseGrants', ['DeleteItem'], oauth, [
        'AT#*',
        'CODE#*',
        'GRANT#*',
        'PAT#*',
        'SESSION#*',
        'SIGNEDOUT#*',
        'TRUST#*',
      ]),
      allowItems('EraseCounts', ['DeleteItem'], limits),
      allowItems('FindRefused', ['Query'], calls, ['CREDENTIALREFUSED']),
      allowItems('EraseCallers', ['UpdateItem'], calls, ['CALLS#*']),
      allowItems('LiftBlocks', ['GetItem', 'UpdateItem'], limits, [
        'public_requests_per_minute_per_ip#*',
      ]),
      allowItems('RecordEvents', ['PutItem', 'UpdateItem', 'DeleteItem'], events, ['SUBJECT#*']),
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
      // Failed mails are sent again by one function, deployments taken care of by the other.
      ...invoking('AskOthers', mails, management),
      allow(
        'ReadEncrypted',
        [dataKey.keyArn],
        ['kms:Decrypt'],
        through(dataKey, ['dynamodb', 'sqs']),
      ),
    ],
    credentials: [
      allowItems('CountRetrievals', ['UpdateItem'], limits, ['credential_*']),
      allowItems('RecordEvents', ['PutItem'], events, ['SUBJECT#*']),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
    ],
    // Connections get tokens from others, with credentials that no other function reads.
    connections: [
      allowItems('KeepTokens', ['GetItem', 'UpdateItem'], tokens, ['TOKEN#*']),
      // The caller's token proves who the user is: the router's word is not believed.
      allowItems('NameCallers', ['GetItem'], oauth, ['AT#*', 'NOTBEFORE', 'SIGNEDOUT#*']),
      allowItems('CountRetrievals', ['UpdateItem'], limits, ['connection_*']),
      allowItems('RecordEvents', ['PutItem'], events, ['SUBJECT#*']),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
      tokenGrant(keys.credentials),
      // Roles that the operator lists can be assumed; each must also trust this role in its own account.
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
    // The console's files are in its bundle.
    console: [],
    activity: [
      // Activity adds calls, and cannot read any.
      allowItems('StoreCalls', ['PutItem'], calls, ['CALLS#*', 'CREDENTIALREFUSED', 'TOUCHED#*']),
      // Activity has no key to open recorded calls.
      allowItems('StoreRecordedCalls', ['PutItem'], recorded),
      allow(
        'TryAgain',
        [props.unstoredCalls.queueArn],
        ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      ),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
    ],
    tally: [
      allowItems('ReadCalls', ['GetItem', 'Query'], calls, [
        'CALLHOURS#*',
        'CALLMINUTES#*',
        'CALLS#*',
        'TALLIED',
        'TOUCHED#*',
      ]),
      allowItems('KeepCounts', ['PutItem'], calls, ['CALLHOURS#*', 'CALLMINUTES#*', 'TALLIED']),
      allow(
        'CountAgain',
        [props.untallied.queueArn],
        ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'],
      ),
      // Operators name a server by its slug, and their command is recorded.
      allowItems('FindServers', ['GetItem'], deployments, ['SLUG#*']),
      allowItems('RecordEvents', ['PutItem'], events, ['SUBJECT#*']),
      allow('ReadEncrypted', [dataKey.keyArn], ['kms:Decrypt'], through(dataKey, ['dynamodb'])),
    ],
  };
  return [...grants[name], ...credentialGrants(name, credentialPlace(props))];
};

/** Rights on a function's own alias, which exists only after all its other grants. */
export const grantsToItself = (name: FunctionName, alias: Alias): readonly PolicyStatement[] =>
  name === 'tally' ? invoking('CountInParts', alias) : [];

/** A stage without private networks gets no statement for them. */
const invoking = (
  sid: string,
  ...callees: readonly (Alias | undefined)[]
): readonly PolicyStatement[] => {
  const arns = callees.flatMap((alias) => alias?.functionArn ?? []);
  return arns.length === 0 ? [] : [allow(sid, arns, ['lambda:InvokeFunction'])];
};

const credentialPlace = ({ data, keys, stage }: GrantProps) => ({
  store: stage.credentialStore,
  former: stage.credentialStoreFormer,
  key: keys.credentials,
  table: data.tables.credentials,
});
