import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { type FunctionName, functions, tables } from '../../lambdas/manifest.ts';
import { allGrants, grantsOf, synthesized } from '../support/synthesized.ts';

let template: Template;
beforeAll(async () => {
  template = await synthesized();
});

describe('the CloudFormation template', () => {
  test('has exactly the routes of the manifest, each to a live alias', () => {
    const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route'));
    const keys = routes.map((route) => route['Properties'].RouteKey as string);
    expect(keys.sort()).toEqual(
      Object.values(functions)
        .flatMap(({ routes: r }) => r)
        .sort(),
    );

    const integrations = Object.values(template.findResources('AWS::ApiGatewayV2::Integration'));
    for (const { Properties } of integrations as { Properties: Record<string, unknown> }[]) {
      expect(Properties['PayloadFormatVersion']).toBe('2.0');
      expect(JSON.stringify(Properties['IntegrationUri'])).toContain('Live');
    }
  });

  test('has only the $default stage, with logs and throttling', () => {
    template.resourceCountIs('AWS::ApiGatewayV2::Stage', 1);
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AccessLogSettings: Match.objectLike({ DestinationArn: Match.anyValue() }),
      DefaultRouteSettings: { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 },
    });
  });

  test('logs neither headers nor query strings of requests', () => {
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
    const format = stage?.['Properties'].AccessLogSettings.Format as string;
    expect(format).not.toMatch(/\$context\.(authorizer|requestOverride)|queryString|header/i);
  });

  test.each(Object.keys(functions) as FunctionName[])(
    'runs %s on arm64 and Node 24 from a published version',
    (name) => {
      const { memoryMb, timeoutSeconds, environment } = functions[name];
      template.hasResourceProperties('AWS::Lambda::Function', {
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        MemorySize: memoryMb,
        Timeout: timeoutSeconds,
        Environment: {
          Variables: Object.fromEntries(environment.map((key) => [key, Match.anyValue()])),
        },
      });
      template.resourceCountIs('AWS::Lambda::Alias', Object.keys(functions).length);
    },
  );

  test('lets only API Gateway, EventBridge and the subscribed log group invoke functions', () => {
    template.resourceCountIs('AWS::Lambda::Url', 0);
    const permissions = Object.values(template.findResources('AWS::Lambda::Permission'));
    for (const { Properties } of permissions as { Properties: Record<string, unknown> }[]) {
      expect(Properties['Principal']).toMatch(/^(apigateway|events|logs)\.amazonaws\.com$/);
      expect(Properties['SourceArn']).toBeDefined();
    }
  });

  test.each([
    ['Sweep', 'rate(1 day)', '{"operator":"sweep"}'],
    ['ContinueSweep', 'rate(1 hour)', '{"operator":"continue-sweep"}'],
  ])('schedules %s at the live alias of maintenance: %s', (name, rate, command) => {
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: rate,
      State: 'ENABLED',
      Targets: [
        Match.objectLike({
          Arn: { Ref: Match.stringLikeRegexp('^FunctionsMaintenanceLive') },
          Input: command,
          RoleArn: Match.absent(),
        }),
      ],
    });
    template.resourcePropertiesCountIs(
      'AWS::Lambda::Permission',
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsMaintenanceLive') },
        Principal: 'events.amazonaws.com',
        SourceArn: {
          'Fn::GetAtt': [Match.stringLikeRegexp(`^SchedulesMaintenance${name}`), 'Arn'],
        },
      },
      1,
    );
  });

  test('lets operators find the function that sweeps', () => {
    template.hasOutput('MaintenanceFunction', {
      Value: { Ref: Match.stringLikeRegexp('^FunctionsMaintenanceLive') },
    });
  });

  test('subscribes the activity function to the tool calls in the log of the router, and to no other log', () => {
    template.resourceCountIs('AWS::Logs::SubscriptionFilter', 1);
    template.hasResourceProperties('AWS::Logs::SubscriptionFilter', {
      LogGroupName: { Ref: Match.stringLikeRegexp('^FunctionsRouterLogs') },
      DestinationArn: { Ref: Match.stringLikeRegexp('^FunctionsActivityLive') },
      FilterPattern: '{ $.message = "tool_call" }',
      RoleArn: Match.absent(),
    });
    template.resourcePropertiesCountIs(
      'AWS::Lambda::Permission',
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsActivityLive') },
        Principal: 'logs.amazonaws.com',
        SourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^FunctionsRouterLogs'), 'Arn'] },
      },
      1,
    );
  });

  test('retries for a fortnight the calls that the activity function did not store', () => {
    const queue = { 'Fn::GetAtt': [Match.stringLikeRegexp('^UnstoredCalls'), 'Arn'] };
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsActivityFunction') },
      Qualifier: 'live',
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: queue } },
    });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsActivityLive') },
      EventSourceArn: queue,
      BatchSize: 1,
    });
    template.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 14 * 86_400,
      VisibilityTimeout: 6 * functions.activity.timeoutSeconds,
      SqsManagedSseEnabled: true,
    });
  });

  test('hears of bounces and complaints by way of the own event bus, of its own mails alone', () => {
    const set = { Ref: Match.stringLikeRegexp('^MailSet') };
    template.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', {
      ConfigurationSetName: set,
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['bounce', 'complaint'],
        EventBridgeDestination: {
          EventBusArn: {
            'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp(':event-bus/default$')])],
          },
        },
      },
    });
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.ses'],
        'detail-type': ['Email Bounced', 'Email Complaint Received'],
        detail: { mail: { tags: { 'ses:configuration-set': [set] } } },
      },
      Targets: [
        Match.objectLike({
          Arn: { Ref: Match.stringLikeRegexp('^FunctionsMailsLive') },
          RoleArn: Match.absent(),
        }),
      ],
    });
    template.resourcePropertiesCountIs(
      'AWS::Lambda::Permission',
      {
        FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsMailsLive') },
        Principal: 'events.amazonaws.com',
        SourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^MailsFeedback'), 'Arn'] },
      },
      1,
    );
    template.resourceCountIs('AWS::SNS::Topic', 0);
  });

  test('tries a mail twice more and keeps what fails in a queue under its own key, with an alarm', () => {
    const queue = { 'Fn::GetAtt': [Match.stringLikeRegexp('^UnsentMails'), 'Arn'] };
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsMailsFunction') },
      Qualifier: 'live',
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: queue } },
    });
    template.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 14 * 86_400,
      KmsMasterKeyId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^KeysData'), 'Arn'] },
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [
        {
          Name: 'QueueName',
          Value: { 'Fn::GetAtt': [Match.stringLikeRegexp('^UnsentMails'), 'QueueName'] },
        },
      ],
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      AlarmActions: Match.absent(),
    });
  });

  test('tells a topic of the alarm where the stage names one', async () => {
    const alarmTopic = 'arn:aws:sns:eu-central-1:123456789012:alarms';
    const told = await synthesized({ alarmTopic });

    told.hasResourceProperties('AWS::CloudWatch::Alarm', { AlarmActions: [alarmTopic] });
  });

  test('has recovery, encryption, deletion protection and time to live on every table', () => {
    const resources = Object.values(template.findResources('AWS::DynamoDB::Table'));
    expect(resources).toHaveLength(Object.keys(tables).length);
    for (const table of resources) {
      expect(table).toMatchObject({
        DeletionPolicy: 'Retain',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        },
      });
    }
    const swept = resources.map(
      (table) => table['Properties'].TimeToLiveSpecification?.AttributeName as string | undefined,
    );
    expect(swept.sort()).toEqual(
      Object.values(tables)
        .map((table) => table.timeToLive)
        .sort(),
    );
  });

  test('has a private and encrypted bucket that requires TLS', () => {
    template.hasResourceProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          Match.objectLike({
            ServerSideEncryptionByDefault: Match.objectLike({ SSEAlgorithm: 'aws:kms' }),
          }),
        ],
      },
    });
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      }),
    });
  });

  test('expires stored answers after a day, and no other files', () => {
    const [bucket] = Object.values(template.findResources('AWS::S3::Bucket'));
    expect(bucket?.['Properties'].LifecycleConfiguration).toEqual({
      Rules: [{ Prefix: 'answers/', ExpirationInDays: 1, Status: 'Enabled' }],
    });
  });

  test('retains every log group for 90 days', () => {
    const groups = Object.values(template.findResources('AWS::Logs::LogGroup'));
    expect(groups).toHaveLength(Object.keys(functions).length + 1);
    for (const group of groups) expect(group['Properties'].RetentionInDays).toBe(90);
  });

  test('has two signing keys, which can only sign and verify', () => {
    const signing = Object.values(template.findResources('AWS::KMS::Key')).filter(
      ({ Properties }) => Properties.KeySpec === 'ECC_NIST_P256',
    );

    expect(signing.map(({ Properties }) => Properties.KeyUsage)).toEqual([
      'SIGN_VERIFY',
      'SIGN_VERIFY',
    ]);
  });

  test('allows decryption with the data key only through AWS services', () => {
    const [key] = Object.entries(template.findResources('AWS::KMS::Key')).flatMap(([id, found]) =>
      id.startsWith('KeysData') ? [found] : [],
    );
    const uses = key?.['Properties'].KeyPolicy.Statement.filter((statement: { Action: string[] }) =>
      [statement.Action].flat().some((action) => /Crypt|DataKey|\*/i.test(action)),
    );
    expect(uses).toHaveLength(1);
    const services = uses[0].Condition.StringEquals['kms:ViaService'] as unknown[];
    expect(services.map((one) => /"(\w+)\./.exec(JSON.stringify(one))?.[1])).toEqual([
      'dynamodb',
      's3',
      'sqs',
    ]);
  });
});

describe('the permissions of the functions', () => {
  const EDIT_ITEMS = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
    (action) => `dynamodb:${action}`,
  );
  const own = ['logs:CreateLogStream', 'logs:PutLogEvents'];

  /** What docs/aws.md, "Permissions" says, action by action. */
  const table: readonly [name: string, statement: string, resource: string, actions: string[]][] = [
    ['Router', 'ReadDeployments', 'DataDeployments', ['dynamodb:GetItem']],
    ['Router', 'ReadContent', 'DataDeploymentContent', ['dynamodb:GetItem', 'dynamodb:Query']],
    ['Router', 'ReadTokens', 'DataOauth', ['dynamodb:GetItem']],
    ['Router', 'CountRequests', 'DataLimits', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['Router', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem', 'dynamodb:UpdateItem']],
    ['Router', 'ReadFiles', 'DataDescriptions', ['s3:GetObject']],
    ['Router', 'KeepAnswers', 'DataDescriptions', ['s3:GetObject', 's3:PutObject']],
    ['Router', 'VerifyJwts', 'KeysSigning2?', ['kms:GetPublicKey']],
    ['Router', 'AskForCredentials', 'FunctionsCredentialsLive', ['lambda:InvokeFunction']],
    ['Router', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Router', 'WriteEncrypted', 'KeysData', ['kms:Encrypt']],
    ['Router', 'EncryptAnswers', 'KeysData', ['kms:GenerateDataKey']],
    ['Oauth', 'KeepUsers', 'DataUsers', EDIT_ITEMS],
    ['Oauth', 'KeepTokens', 'DataOauth', EDIT_ITEMS],
    ['Oauth', 'ReadDeployments', 'DataDeployments', ['dynamodb:GetItem']],
    ['Oauth', 'ListDeploymentsOfAnOwner', 'DataDeployments', ['dynamodb:Query']],
    ['Oauth', 'CountRequests', 'DataLimits', ['dynamodb:UpdateItem']],
    ['Oauth', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem', 'dynamodb:UpdateItem']],
    ['Oauth', 'SignSessions', 'KeysSigning2?', ['kms:Sign', 'kms:GetPublicKey']],
    ['Oauth', 'AskForMails', 'FunctionsMailsLive', ['lambda:InvokeFunction']],
    ['Mails', 'FindAccounts', 'DataUsers', ['dynamodb:GetItem']],
    ['Mails', 'KeepMailTokens', 'DataUsers', ['dynamodb:PutItem']],
    ['Mails', 'KeepUndeliverable', 'DataUsers', ['dynamodb:GetItem', 'dynamodb:PutItem']],
    ['Mails', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Mails', 'CountMails', 'DataLimits', ['dynamodb:UpdateItem']],
    ['Mails', 'KeepUnsent', 'UnsentMails', ['sqs:SendMessage']],
    ['Mails', 'EncryptUnsent', 'KeysData', ['kms:GenerateDataKey', 'kms:Decrypt']],
    ['Mails', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Mails', 'WriteEncrypted', 'KeysData', ['kms:Encrypt']],
    ['Oauth', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Oauth', 'WriteEncrypted', 'KeysData', ['kms:Encrypt']],
    ['Management', 'TryTools', 'FunctionsRouterLive', ['lambda:InvokeFunction']],
    ['Management', 'EditDeployments', 'DataDeployments', EDIT_ITEMS],
    ['Management', 'ListDeploymentsOfAnOwner', 'DataDeployments', ['dynamodb:Query']],
    [
      'Management',
      'WriteContent',
      'DataDeploymentContent',
      [...EDIT_ITEMS, 'dynamodb:Query', 'dynamodb:BatchWriteItem'],
    ],
    [
      'Management',
      'RemoveUsers',
      'DataUsers',
      [
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:DeleteItem',
        'dynamodb:ConditionCheckItem',
      ],
    ],
    ['Management', 'ReadSessions', 'DataOauth', ['dynamodb:GetItem']],
    ['Management', 'ReadWhichKeySigns', 'DataOauth', ['dynamodb:GetItem']],
    ['Management', 'SignUsersOut', 'DataOauth', ['dynamodb:PutItem']],
    ['Management', 'EndGrants', 'DataOauth', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['Management', 'ListGrantsAndTokens', 'DataOauth', ['dynamodb:Query']],
    ['Management', 'KeepLimits', 'DataLimits', EDIT_ITEMS],
    ['Management', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Management', 'ReadActivity', 'DataSecurityEvents', ['dynamodb:Query']],
    ['Management', 'ReadCalls', 'DataCalls', ['dynamodb:Query']],
    ['Activity', 'StoreCalls', 'DataCalls', ['dynamodb:PutItem', 'dynamodb:UpdateItem']],
    [
      'Activity',
      'TryAgain',
      'UnstoredCalls',
      ['SendMessage', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map(
        (action) => `sqs:${action}`,
      ),
    ],
    ['Activity', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Activity', 'WriteEncrypted', 'KeysData', ['kms:Encrypt']],
    [
      'Management',
      'WriteFiles',
      'DataDescriptions',
      ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
    ],
    ['Management', 'ListFiles', 'DataDescriptions', ['s3:ListBucket']],
    ['Management', 'SignMintedTokens', 'KeysSigning2?', ['kms:Sign', 'kms:GetPublicKey']],
    [
      'Management',
      'KeepMintedTokens',
      'DataOauth',
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    ],
    ['Management', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Management', 'WriteEncrypted', 'KeysData', ['kms:Encrypt', 'kms:GenerateDataKey']],
    ['Management', 'UseCredentialsKey', 'KeysCredentials', ['kms:GenerateDataKey', 'kms:Decrypt']],
    ['Maintenance', 'LookForLeftovers', 'DataDeployments', ['dynamodb:Scan']],
    [
      'Maintenance',
      'FinishRemovals',
      'DataDeployments',
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    ],
    [
      'Maintenance',
      'RemoveContent',
      'DataDeploymentContent',
      ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:BatchWriteItem'],
    ],
    ['Maintenance', 'EndGrants', 'DataOauth', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['Maintenance', 'ListGrantsAndTokens', 'DataOauth', ['dynamodb:Query']],
    ['Maintenance', 'AllowMails', 'DataUsers', ['dynamodb:GetItem', 'dynamodb:DeleteItem']],
    ['Maintenance', 'LookForBlocks', 'DataLimits', ['dynamodb:Scan']],
    ['Maintenance', 'LiftBlocks', 'DataLimits', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['Maintenance', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Maintenance', 'RemoveFiles', 'DataDescriptions', ['s3:DeleteObject']],
    ['Maintenance', 'ListFiles', 'DataDescriptions', ['s3:ListBucket']],
    ['Maintenance', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Credentials', 'CountRetrievals', 'DataLimits', ['dynamodb:UpdateItem']],
    ['Credentials', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Credentials', 'UseCredentialsKey', 'KeysCredentials', ['kms:Decrypt']],
    ['Credentials', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Credentials', 'WriteEncrypted', 'KeysData', ['kms:Encrypt']],
  ];

  /** Those that reach what the stack does not make. */
  const outside: readonly [name: string, statement: string, actions: string[]][] = [
    ['Mails', 'SendMails', ['ses:SendEmail']],
    [
      'Management',
      'WriteCredentials',
      ['CreateSecret', 'PutSecretValue', 'DeleteSecret', 'TagResource'].map(
        (action) => `secretsmanager:${action}`,
      ),
    ],
    ['Maintenance', 'RemoveCredentials', ['secretsmanager:DeleteSecret']],
    ['Credentials', 'ReadCredentials', ['secretsmanager:GetSecretValue']],
  ];

  test.each(Object.keys(functions))('of %s are exactly those of the table', (name) => {
    const title = capitalized(name);
    const granted = grantsOf(template, title).map(({ Sid, Action }) => [Sid, [Action].flat()]);
    const allowed: unknown[][] = table
      .filter(([owner]) => owner === title)
      .map(([, sid, , actions]) => [sid, actions]);
    expect(Object.fromEntries(granted)).toEqual(
      Object.fromEntries([
        ['WriteOwnLogs', own],
        ...allowed,
        ...outside.filter(([owner]) => owner === title).map(([, sid, actions]) => [sid, actions]),
      ]),
    );
  });

  test.each(table)('of %s: %s is restricted to the resource %s', (name, sid, resource) => {
    const statement = grantsOf(template, name).find(({ Sid }) => Sid === sid);
    const resources = [statement?.Resource].flat().map((one) => JSON.stringify(one));
    expect(resources.length).toBeGreaterThan(0);
    for (const one of resources) expect(one).toMatch(new RegExp(`"${resource}[0-9A-F]{8}"`));
  });

  test('let no function with a route read whole tables', () => {
    const scanning = Object.keys(functions).filter((name) =>
      grantsOf(template, capitalized(name)).some(({ Action }) =>
        [Action].flat().includes('dynamodb:Scan'),
      ),
    );
    expect(scanning).toEqual(['maintenance']);
    expect(functions.maintenance.routes).toEqual([]);
  });

  test('contain no bare wildcard', () => {
    for (const { Action, Resource, Effect } of allGrants(template)) {
      expect(Effect).toBe('Allow');
      for (const action of [Action].flat()) expect(action).not.toContain('*');
      for (const resource of [Resource].flat()) expect(resource).not.toBe('*');
    }
  });

  test('use the data key only through the services that store', () => {
    const statements = allGrants(template).filter(({ Resource }) =>
      JSON.stringify(Resource).includes('KeysData'),
    );
    expect(statements.length).toBeGreaterThan(0);
    for (const { Condition } of statements) {
      expect(JSON.stringify(Condition)).toContain('kms:ViaService');
    }
  });

  test('allow the router to write stored answers but no other files', () => {
    const grants = grantsOf(template, 'Router');
    const writing = grants.filter(({ Action }) => [Action].flat().includes('s3:PutObject'));
    expect(writing.map(({ Sid }) => Sid)).toEqual(['KeepAnswers']);
    expect(JSON.stringify(writing[0]?.Resource)).toMatch(/"\/answers\/\*"\]\]\}$/);

    const { Condition } = grants.find(({ Sid }) => Sid === 'EncryptAnswers') ?? {};
    const service = JSON.stringify(Condition).match(/"(dynamodb|s3)\./g);
    expect(service).toEqual(['"s3.']);
  });

  test('allow nobody but the function for mails to send any', () => {
    const senders = Object.keys(functions).filter((name) =>
      grantsOf(template, name.charAt(0).toUpperCase() + name.slice(1)).some(({ Action }) =>
        [Action].flat().some((action) => action.startsWith('ses:')),
      ),
    );
    expect(senders).toEqual(['mails']);
  });

  test('allow the function for mails to see whether there is an account, and nothing of it', () => {
    const grants = grantsOf(template, 'Mails');
    const keysOf = (sid: string) => grants.find(({ Sid }) => Sid === sid)?.Condition;
    const leading = (key: string) => ({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [key] },
    });
    expect(keysOf('FindAccounts')).toEqual(leading('EMAIL#*'));
    expect(keysOf('KeepMailTokens')).toEqual(leading('MAIL#*'));
    expect(keysOf('KeepUndeliverable')).toEqual(leading('UNDELIVERABLE#*'));
    expect(keysOf('CountMails')).toEqual(leading('mails_per_*'));
  });

  test('allow the function for mails to send them from one address only, with one configuration set', () => {
    const sent = grantsOf(template, 'Mails').find(({ Sid }) => Sid === 'SendMails');
    const [identity, set, ...others] = [sent?.Resource].flat().map((one) => JSON.stringify(one));
    expect(identity).toContain(':identity/mail.acme.com"');
    expect(set).toMatch(/:configuration-set\/",\{"Ref":"MailSet/);
    expect(others).toEqual([]);
    expect(sent?.Condition).toEqual({
      StringEquals: { 'ses:FromAddress': 'hosted-mcp@mail.acme.com' },
    });
  });

  test('allow maintenance to see and remove addresses that are not written to, and nothing of users', () => {
    const grants = grantsOf(template, 'Maintenance');
    const ofUsers = grants.filter(({ Resource }) => JSON.stringify(Resource).includes('DataUsers'));
    expect(ofUsers.map(({ Condition }) => Condition)).toEqual([
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['UNDELIVERABLE#*'] } },
    ]);
  });

  test('allow management to revoke grants and their access tokens', () => {
    const ending = grantsOf(template, 'Management').find(({ Sid }) => Sid === 'EndGrants');
    expect(ending?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['GRANT#*', 'AT#*'] },
    });
  });

  test('allow management to write minted tokens but no other tokens', () => {
    const kept = grantsOf(template, 'Management').find(({ Sid }) => Sid === 'KeepMintedTokens');
    expect(kept?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['JTI#*'] },
    });
  });
});

describe('the configuration of a stage', () => {
  test('with a custom domain disables the default endpoint', async () => {
    const own = await synthesized({
      domain: {
        name: 'mcp.example.com',
        certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
        certificateRegion: 'eu-central-1',
      },
    });
    own.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
    own.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({ BASE_URL: 'https://mcp.example.com/v1' }),
      },
    });
    expect(Object.keys(own.findOutputs('*'))).toContain('DomainTarget');
  });

  test('is passed to the functions', async () => {
    const open = await synthesized({
      allowedRedirectUris: ['com.example.app:/callback'],
      rootAuthorizationServer: true,
      signUp: { domains: ['example.com'] },
    });
    open.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          ALLOWED_REDIRECT_URIS: '["com.example.app:/callback"]',
          ROOT_AUTHORIZATION_SERVER: 'true',
          SIGN_UP: '{"domains":["example.com"]}',
        }),
      },
    });
  });

  test('maps the WWW-Authenticate header in API Gateway only on request', async () => {
    const integrationsOf = (of: Template) =>
      Object.values(of.findResources('AWS::ApiGatewayV2::Integration')).map(
        ({ Properties }) => Properties.ResponseParameters,
      );
    const ResponseParameters = [
      {
        Destination: 'overwrite:header.WWW-Authenticate',
        Source: '$response.header.X-Mcp-Challenge',
      },
    ];
    const mapped = { 401: { ResponseParameters }, 403: { ResponseParameters } };

    expect(integrationsOf(template)).toEqual([undefined, undefined, undefined]);
    expect(integrationsOf(await synthesized({ challengeMapping: true }))).toEqual([
      mapped,
      mapped,
      mapped,
    ]);
  });
});

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
