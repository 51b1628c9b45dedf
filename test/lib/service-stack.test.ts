import { OAUTH_ATTRIBUTES, USER_ATTRIBUTES } from '../../layers/maintenance/store/matches.ts';
import { describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { tables } from '../../lambdas/storage-manifest.ts';
import { FUNCTION_SETTINGS, variableOf } from '../../lib/stage/variables.ts';
import { pascalCase } from '../../lib/pascal-case.ts';
import {
  allGrants,
  grantsOf,
  type Statement,
  synthesized,
  variablesOf,
} from '../support/stacks/synthesized.ts';

const stacks = synthesized();
const { service: template } = stacks;

/** A reference to a resource of the stack of data. */
const to = (logicalId: string) =>
  Match.objectLike({
    'Fn::GetStackOutput': Match.objectLike({
      OutputName: Match.stringLikeRegexp(`^PublishOutput(?:Ref|FnGetAtt)${logicalId}[0-9A-F]{8}`),
    }),
  });

/** The name in an alias's ARN: a literal would let CloudFormation ask for the alias before it is made. */
const nameOfAlias = (name: string) => ({
  'Fn::Select': [
    7,
    { 'Fn::Split': [':', { Ref: Match.stringLikeRegexp(`^Functions${name}Live`) }] },
  ],
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

  test('has only the $default stage, with logs, and a throttle for each route by itself', () => {
    template.resourceCountIs('AWS::ApiGatewayV2::Stage', 1);
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
    const calls = { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 };
    const pages = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 300 };
    const throttled = (routes: readonly string[], settings: object) =>
      routes.map((route) => [route, settings] as const);

    expect(stage?.['Properties']).toMatchObject({
      StageName: '$default',
      AccessLogSettings: { DestinationArn: expect.anything() },
      DefaultRouteSettings: calls,
    });
    expect(stage?.['Properties'].RouteSettings).toEqual(
      Object.fromEntries([
        ...throttled([...functions.console.routes], pages),
        ...throttled(
          Object.entries(functions).flatMap(([name, { routes }]) =>
            name === 'console' ? [] : routes,
          ),
          calls,
        ),
      ]),
    );
    // The gateway refuses settings of a route that is not there yet.
    expect(stage?.['DependsOn']).toEqual(
      expect.arrayContaining(Object.keys(template.findResources('AWS::ApiGatewayV2::Route'))),
    );
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
      });
      const { METRICS_NAMESPACE: _, ...variables } = variablesOf(
        synthesized(),
        `Functions${pascalCase(name)}`,
      );
      const settings = FUNCTION_SETTINGS.filter(([, row]) => row.functions.includes(name));
      expect(Object.keys(variables).toSorted()).toEqual(
        [...environment, ...settings.map(([key]) => variableOf(key))].toSorted(),
      );
      template.resourceCountIs('AWS::Lambda::Alias', Object.keys(functions).length);
    },
  );

  test('has functions log lines as they are written, and Lambda only what failed', () => {
    const logging = Object.values(template.findResources('AWS::Lambda::Function'))
      .map(({ Properties }) => Properties.LoggingConfig)
      .filter((config) => config?.LogFormat !== undefined);

    expect(logging).toHaveLength(Object.keys(functions).length);
    for (const one of logging) {
      expect(one).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
      expect(one).not.toHaveProperty('ApplicationLogLevel');
    }
  });

  test('lets only API Gateway, EventBridge and the subscribed log group invoke functions', () => {
    template.resourceCountIs('AWS::Lambda::Url', 0);
    const permissions = Object.values(template.findResources('AWS::Lambda::Permission'));
    for (const { Properties } of permissions as { Properties: Record<string, unknown> }[]) {
      expect(Properties['Principal']).toMatch(/^(apigateway|events|logs)\.amazonaws\.com$/);
      expect(Properties['SourceArn']).toBeDefined();
    }
  });

  test.each([
    ['Sweep', 'rate(1 day)', '{"operator":"sweep","claimedActor":"events.amazonaws.com"}'],
    [
      'ContinueSweep',
      'rate(1 hour)',
      '{"operator":"continue-sweep","claimedActor":"events.amazonaws.com"}',
    ],
    ['TakeCare', 'rate(1 hour)', '{"operator":"take-care","claimedActor":"events.amazonaws.com"}'],
    [
      'CheckPeople',
      'rate(1 hour)',
      '{"operator":"check-people","claimedActor":"events.amazonaws.com"}',
      'Oauth',
    ],
  ])(
    'schedules %s at the live alias of its function: %s',
    (name, rate, command, of = 'Maintenance') => {
      template.hasResourceProperties('AWS::Events::Rule', {
        ScheduleExpression: rate,
        State: 'ENABLED',
        Targets: [
          Match.objectLike({
            Arn: { Ref: Match.stringLikeRegexp(`^Functions${of}Live`) },
            Input: command,
            RoleArn: Match.absent(),
          }),
        ],
      });
      template.resourcePropertiesCountIs(
        'AWS::Lambda::Permission',
        {
          Action: 'lambda:InvokeFunction',
          FunctionName: { Ref: Match.stringLikeRegexp(`^Functions${of}Live`) },
          Principal: 'events.amazonaws.com',
          SourceArn: {
            'Fn::GetAtt': [Match.stringLikeRegexp(`^Schedules${of}${name}`), 'Arn'],
          },
        },
        1,
      );
    },
  );

  test('lets operators find the function that sweeps', () => {
    template.hasOutput('MaintenanceFunction', {
      Value: { Ref: Match.stringLikeRegexp('^FunctionsMaintenanceLive') },
    });
  });

  test('subscribes the activity function to the tool calls in the log of the router, and to no other log', () => {
    template.resourceCountIs('AWS::Logs::SubscriptionFilter', 1);
    template.hasResourceProperties('AWS::Logs::SubscriptionFilter', {
      FilterName: 'lines-for-activity',
      LogGroupName: to('LogsRouter'),
      DestinationArn: { Ref: Match.stringLikeRegexp('^FunctionsActivityLive') },
      FilterPattern: '{ ($.message = "tool_call") || ($.message = "recorded_call") }',
      RoleArn: Match.absent(),
    });
    template.resourcePropertiesCountIs(
      'AWS::Lambda::Permission',
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsActivityLive') },
        Principal: 'logs.amazonaws.com',
        SourceArn: to('LogsRouter'),
      },
      1,
    );
  });

  test('has calls counted each minute, and repeats none of that', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [
        Match.objectLike({
          Arn: { Ref: Match.stringLikeRegexp('^FunctionsTallyLive') },
          Input: '{"tally":"now"}',
          RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
          DeadLetterConfig: Match.absent(),
        }),
      ],
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsTallyFunction') },
      Qualifier: nameOfAlias('Tally'),
      MaximumRetryAttempts: 0,
      DestinationConfig: Match.absent(),
    });
  });

  test('counts requests of the router by era and version of MCP, and by nothing that clients invent', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      LogGroupName: to('LogsRouter'),
      FilterPattern: '{ $.protocol.version = "*" }',
      MetricTransformations: [
        {
          MetricNamespace: Match.stringLikeRegexp('^HostedMcp/'),
          MetricName: 'McpRequests',
          MetricValue: '1',
          Unit: 'Count',
          Dimensions: [
            { Key: 'Era', Value: '$.protocol.era' },
            { Key: 'Version', Value: '$.protocol.version' },
          ],
        },
      ],
    });
  });

  test('retries for a day the calls that the activity function did not store, and keeps what fails then', () => {
    const queue = { 'Fn::GetAtt': [Match.stringLikeRegexp('^UnstoredCalls'), 'Arn'] };
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsActivityFunction') },
      Qualifier: nameOfAlias('Activity'),
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
      RedrivePolicy: {
        deadLetterTargetArn: {
          'Fn::GetAtt': [Match.stringLikeRegexp('^UnstorableCalls'), 'Arn'],
        },
        maxReceiveCount: 240,
      },
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
  });

  test('tries a mail twice more and keeps what fails in a queue under its own key', () => {
    const queue = { 'Fn::GetAtt': [Match.stringLikeRegexp('^UnsentMails'), 'Arn'] };
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsMailsFunction') },
      Qualifier: nameOfAlias('Mails'),
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: queue } },
    });
    template.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 14 * 86_400,
      KmsMasterKeyId: to('KeysData'),
    });
  });

  test.each([
    ['a mail that could not be sent', 'UnsentMails', 'ApproximateNumberOfMessagesVisible', 1],
    [
      'a daily command that was not delivered',
      'UndeliveredCommands',
      'ApproximateNumberOfMessagesVisible',
      1,
    ],
    [
      'calls that wait for an hour to be stored',
      'UnstoredCalls',
      'ApproximateAgeOfOldestMessage',
      3600,
    ],
  ])('tells its own topic of %s', (_, queue, metric, threshold) => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/SQS',
      MetricName: metric,
      Dimensions: [
        {
          Name: 'QueueName',
          Value: { 'Fn::GetAtt': [Match.stringLikeRegexp(`^${queue}`), 'QueueName'] },
        },
      ],
      Threshold: threshold,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      AlarmActions: [{ Ref: Match.stringLikeRegexp('^AlarmsTopic') }],
    });
  });

  test('lets alarms of the account and EventBridge publish to its topic, over TLS only, and nobody else', () => {
    const [policy] = Object.values(template.findResources('AWS::SNS::TopicPolicy'));
    const statements = policy?.['Properties'].PolicyDocument.Statement as Statement[];
    expect(statements.map(({ Effect, Action, Condition }) => [Effect, Action, Condition])).toEqual([
      ['Deny', 'sns:Publish', { Bool: { 'aws:SecureTransport': 'false' } }],
      ['Allow', 'sns:Publish', { ArnLike: { 'aws:SourceArn': expect.anything() } }],
      ['Allow', 'sns:Publish', undefined],
    ]);
    expect(statements[2]?.Principal).toEqual({ Service: 'events.amazonaws.com' });
    expect(JSON.stringify(statements[1]?.Condition)).toContain(':alarm:*"');
  });

  test('has no topic of its own where the stage names one', () => {
    const alarmTopicArn = 'arn:aws:sns:eu-central-1:123456789012:alarms';

    synthesized({ alarmTopicArn }).service.resourceCountIs('AWS::SNS::Topic', 0);
  });

  test('keeps a daily command that could not be delivered', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      Targets: [
        Match.objectLike({
          DeadLetterConfig: {
            Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^UndeliveredCommands'), 'Arn'] },
          },
        }),
      ],
    });
  });

  test('reserves executions in production, so that a slow target leaves room for sign-in', () => {
    const reservedOf = (of: Template) =>
      Object.fromEntries(
        Object.entries(of.findResources('AWS::Lambda::Function')).flatMap(
          ([id, { Properties }]) => {
            const [, name] = /^Functions([A-Z][a-z]+)Function/.exec(id) ?? [];
            const reserved = Properties.ReservedConcurrentExecutions as number | undefined;
            return name ? [[name.toLowerCase(), reserved] as const] : [];
          },
        ),
      );
    const reserved = reservedOf(template);
    expect(Object.keys(reserved).toSorted()).toEqual(Object.keys(functions).toSorted());
    // An account has 1,000 by default, and AWS reserves none of the last hundred.
    const sum = Object.values(reserved).reduce<number>((total, one) => total + Number(one), 0);
    expect(sum).toBeLessThanOrEqual(900);
    expect(reserved['oauth']).toBeGreaterThan(0);

    const none = Object.values(reservedOf(synthesized({ reservedConcurrency: {} }).service));
    expect(none).toEqual(Object.keys(functions).map(() => undefined));
  });

  test('names on the first day all that one needs', () => {
    expect(Object.keys(template.findOutputs('*')).toSorted()).toEqual(
      [
        'BaseUrl',
        'PublishFunction',
        'AccountsFunction',
        'IdentityFunction',
        'MaintenanceFunction',
        'TallyFunction',
        'AlarmTopic',
        'UnsentMailsQueue',
        'UnstoredCallsQueue',
        'UnstorableCallsQueue',
        'UndeliveredCommandsQueue',
        'UntalliedQueue',
        ...Object.keys(functions).map((name) => `${pascalCase(name)}FunctionName`),
      ].toSorted(),
    );
    expect(Object.keys(stacks.data.findOutputs('*'))).toEqual(
      expect.arrayContaining([
        ...Object.keys(tables).map((name) => `${pascalCase(name)}Table`),
        'DescriptionsBucket',
        'AccessLogGroup',
      ]),
    );
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
    ['Router', 'KeepAnswers', 'DataAnswers', ['s3:GetObject', 's3:PutObject']],
    ['Router', 'VerifyJwts', 'Keys(?:Signing|Minting)2?', ['kms:GetPublicKey']],
    [
      'Router',
      'AskForCredentials',
      'FunctionsC(?:redentials|onnections)Live',
      ['lambda:InvokeFunction'],
    ],
    ['Router', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Router', 'EncryptAnswers', 'KeysData', ['kms:GenerateDataKey']],
    ['Oauth', 'KeepUsers', 'DataUsers', EDIT_ITEMS],
    [
      'Oauth',
      'MarkOperators',
      'DataUsers',
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    ],
    ['Oauth', 'KeepTokens', 'DataOauth', EDIT_ITEMS],
    ['Oauth', 'SignMachinesIn', 'DataOauth', ['dynamodb:PutItem']],
    ['Oauth', 'ReadTrusts', 'DataOauth', ['dynamodb:GetItem']],
    ['Oauth', 'ListSessions', 'DataOauth', ['dynamodb:Query']],
    ['Oauth', 'ReadDeployments', 'DataDeployments', ['dynamodb:GetItem']],
    ['Oauth', 'ListDeploymentsOfAnOwner', 'DataDeployments', ['dynamodb:Query']],
    ['Oauth', 'CountRequests', 'DataLimits', ['dynamodb:UpdateItem']],
    ['Oauth', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem', 'dynamodb:UpdateItem']],
    ['Oauth', 'SignSessions', 'KeysSigning2?', ['kms:Sign', 'kms:GetPublicKey']],
    ['Oauth', 'ListUsers', 'DataUsers', ['dynamodb:Query']],
    ['Oauth', 'PublishMintingKeys', 'KeysMinting2?', ['kms:GetPublicKey']],
    ['Oauth', 'AskForMails', 'FunctionsMailsLive', ['lambda:InvokeFunction']],
    ['Oauth', 'AskProviders', 'FunctionsIdentityLive', ['lambda:InvokeFunction']],
    ['Identity', 'ReadProviders', 'DataOauth', ['dynamodb:GetItem']],
    ['Identity', 'KeepProviderSecrets', 'DataOauth', ['dynamodb:GetItem', 'dynamodb:PutItem']],
    ['Identity', 'KeepPersons', 'DataConnections', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['Identity', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Identity', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Identity', 'UseSignInKey', 'KeysCredentials', ['kms:GenerateDataKey', 'kms:Decrypt']],
    ['Mails', 'FindAccounts', 'DataUsers', ['dynamodb:GetItem']],
    ['Mails', 'KeepMailTokens', 'DataUsers', ['dynamodb:PutItem']],
    ['Mails', 'KeepUndeliverable', 'DataUsers', ['dynamodb:GetItem', 'dynamodb:PutItem']],
    ['Mails', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Mails', 'CountMails', 'DataLimits', ['dynamodb:UpdateItem']],
    ['Mails', 'KeepUnsent', 'UnsentMails', ['sqs:SendMessage']],
    ['Mails', 'EncryptUnsent', 'KeysData', ['kms:GenerateDataKey', 'kms:Decrypt']],
    ['Mails', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Oauth', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    [
      'Management',
      'AskOthers',
      'Functions(?:Router|Mails|Identity)Live',
      ['lambda:InvokeFunction'],
    ],
    ['Management', 'EditDeployments', 'DataDeployments', EDIT_ITEMS],
    [
      'Management',
      'WriteContent',
      'DataDeploymentContent',
      [...EDIT_ITEMS, 'dynamodb:Query', 'dynamodb:BatchWriteItem'],
    ],
    [
      'Management',
      'ChangeUsers',
      'DataUsers',
      [
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:DeleteItem',
        'dynamodb:ConditionCheckItem',
      ],
    ],
    ['Management', 'ReadOperators', 'DataUsers', ['dynamodb:GetItem', 'dynamodb:DeleteItem']],
    ['Management', 'ListUsers', 'DataUsers', ['dynamodb:Query']],
    ['Management', 'ReadSessions', 'DataOauth', ['dynamodb:GetItem']],
    ['Management', 'EndGrants', 'DataOauth', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['Management', 'EndAccessTokens', 'DataOauth', ['dynamodb:UpdateItem']],
    ['Management', 'ListGrantsAndTokens', 'DataOauth', ['dynamodb:Query']],
    ['Management', 'KeepLimits', 'DataLimits', EDIT_ITEMS],
    [
      'Management',
      'ReadRecordedCalls',
      'DataRecordedCalls',
      ['dynamodb:Query', 'dynamodb:DeleteItem'],
    ],
    ['Management', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Management', 'ReadLists', 'Data(?:Deployments|SecurityEvents|Calls)', ['dynamodb:Query']],
    ['Activity', 'StoreCalls', 'DataCalls', ['dynamodb:PutItem']],
    ['Activity', 'StoreRecordedCalls', 'DataRecordedCalls', ['dynamodb:PutItem']],
    [
      'Activity',
      'TryAgain',
      'UnstoredCalls',
      ['SendMessage', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map(
        (action) => `sqs:${action}`,
      ),
    ],
    ['Activity', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Tally', 'ReadCalls', 'DataCalls', ['dynamodb:GetItem', 'dynamodb:Query']],
    ['Tally', 'KeepCounts', 'DataCalls', ['dynamodb:PutItem']],
    [
      'Tally',
      'CountAgain',
      'Untallied',
      ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'],
    ],
    ['Tally', 'FindServers', 'DataDeployments', ['dynamodb:GetItem']],
    ['Tally', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Tally', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    [
      'Management',
      'WriteFiles',
      'DataDescriptions',
      ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
    ],
    ['Management', 'ListFiles', 'DataDescriptions', ['s3:ListBucket']],
    ['Management', 'VerifySessions', 'KeysSigning2?', ['kms:GetPublicKey']],
    ['Management', 'SignMintedTokens', 'KeysMinting2?', ['kms:Sign', 'kms:GetPublicKey']],
    [
      'Management',
      'KeepTokens',
      'DataOauth',
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    ],
    ['Management', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Management', 'EncryptFiles', 'KeysData', ['kms:GenerateDataKey']],
    ['Management', 'WriteCredentials', 'DataCredentials', ['dynamodb:UpdateItem']],
    ['Management', 'RemoveCredentials', 'DataCredentials', ['dynamodb:DeleteItem']],
    ['Management', 'UseCredentialsKey', 'KeysCredentials', ['kms:GenerateDataKey']],
    ['Maintenance', 'RemoveCredentials', 'DataCredentials', ['dynamodb:DeleteItem']],
    ['Maintenance', 'CompareCredentials', 'DataCredentials', ['dynamodb:GetItem']],
    ['Credentials', 'ReadCredentials', 'DataCredentials', ['dynamodb:GetItem']],
    [
      'Maintenance',
      'SearchTables',
      'Data(?:Deployments|Limits|Oauth|SecurityEvents|Calls)',
      ['dynamodb:Scan'],
    ],
    ['Maintenance', 'ReadOwners', 'DataDeployments', ['dynamodb:GetItem']],
    [
      'Maintenance',
      'FinishRemovals',
      'DataDeployments',
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    ],
    [
      'Maintenance',
      'RemoveContent',
      'DataDeploymentContent',
      ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:BatchWriteItem'],
    ],
    ['Maintenance', 'EndGrants', 'DataOauth', ['dynamodb:UpdateItem']],
    ['Maintenance', 'ListGrantsAndTokens', 'DataOauth', ['dynamodb:Query']],
    ['Maintenance', 'AllowMails', 'DataUsers', ['dynamodb:GetItem', 'dynamodb:DeleteItem']],
    ['Maintenance', 'SearchUsers', 'DataUsers', ['dynamodb:Scan']],
    ['Maintenance', 'ErasePersons', 'DataUsers', ['dynamodb:DeleteItem']],
    ['Maintenance', 'EraseGrants', 'DataOauth', ['dynamodb:DeleteItem']],
    ['Maintenance', 'EraseCounts', 'DataLimits', ['dynamodb:DeleteItem']],
    ['Maintenance', 'EraseCallers', 'DataCalls', ['dynamodb:UpdateItem']],
    ['Maintenance', 'LiftBlocks', 'DataLimits', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    [
      'Maintenance',
      'RecordEvents',
      'DataSecurityEvents',
      ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    ],
    ['Maintenance', 'RemoveFiles', 'DataDescriptions', ['s3:DeleteObject']],
    ['Maintenance', 'ListFiles', 'DataDescriptions', ['s3:ListBucket']],
    [
      'Maintenance',
      'FetchFailed',
      'Un(?:sentMails|storableCalls|deliveredCommands)',
      ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) => `sqs:${action}`),
    ],
    ['Maintenance', 'StoreAgain', 'UnstoredCalls', ['sqs:SendMessage']],
    ['Maintenance', 'AskOthers', 'Functions(?:Mails|Management)Live', ['lambda:InvokeFunction']],
    ['Maintenance', 'FindRefused', 'DataCalls', ['dynamodb:Query']],
    ['Maintenance', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Credentials', 'CountRetrievals', 'DataLimits', ['dynamodb:UpdateItem']],
    ['Credentials', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Credentials', 'UseCredentialsKey', 'KeysCredentials', ['kms:Decrypt']],
    ['Credentials', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Connections', 'ReadCredentials', 'DataCredentials', ['dynamodb:GetItem']],
    ['Connections', 'UseCredentialsKey', 'KeysCredentials', ['kms:Decrypt']],
    ['Connections', 'UseTokensKey', 'KeysCredentials', ['kms:GenerateDataKey', 'kms:Decrypt']],
    ['Connections', 'KeepTokens', 'DataConnections', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['Connections', 'NameCallers', 'DataOauth', ['dynamodb:GetItem']],
    ['Connections', 'CountRetrievals', 'DataLimits', ['dynamodb:UpdateItem']],
    ['Connections', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Connections', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
  ];

  /** Those that reach what the stack does not make. */
  const outside: readonly [name: string, statement: string, actions: string[]][] = [
    ['Mails', 'SendMails', ['ses:SendEmail']],
  ];

  test.each(Object.keys(functions))('of %s are exactly those of the table', (name) => {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    const granted = grantsOf(stacks, name).map(({ Sid, Action }) => [Sid, [Action].flat()]);
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
    const statement = grantsOf(stacks, name).find(({ Sid }) => Sid === sid);
    const resources = [statement?.Resource].flat().map((one) => JSON.stringify(one));
    expect(resources.length).toBeGreaterThan(0);
    for (const one of resources) {
      expect(one).toMatch(new RegExp(`(?:"|FnGetAtt)${resource}[0-9A-F]{8}`));
    }
  });

  test('let no function with a route read whole tables', () => {
    const scanning = Object.keys(functions).filter((name) =>
      grantsOf(stacks, name).some(({ Action }) => [Action].flat().includes('dynamodb:Scan')),
    );
    expect(scanning).toEqual(['maintenance']);
    expect(functions.maintenance.routes).toEqual([]);
  });

  test('contain no bare wildcard', () => {
    for (const { Action, Resource, Effect } of allGrants(stacks)) {
      expect(Effect).toBe('Allow');
      for (const action of [Action].flat()) expect(action).not.toContain('*');
      for (const resource of [Resource].flat()) expect(resource).not.toBe('*');
    }
  });

  test('use the data key only through the services that store', () => {
    const statements = allGrants(stacks).filter(({ Resource }) =>
      JSON.stringify(Resource).includes('KeysData'),
    );
    expect(statements.length).toBeGreaterThan(0);
    for (const { Condition } of statements) {
      expect(JSON.stringify(Condition)).toContain('kms:ViaService');
    }
  });

  test('allow the router to write stored answers but no other files', () => {
    const grants = grantsOf(stacks, 'router');
    const writing = grants.filter(({ Action }) => [Action].flat().includes('s3:PutObject'));
    expect(writing.map(({ Sid }) => Sid)).toEqual(['KeepAnswers']);
    expect(JSON.stringify(writing[0]?.Resource)).toMatch(/FnGetAttDataAnswers/);
  });

  /** By way of which services the data key may be used, and for what. */
  const dataKeyUses: readonly [name: string, statement: string, services: string[]][] = [
    ['Router', 'ReadEncrypted', ['dynamodb', 's3']],
    ['Router', 'EncryptAnswers', ['s3']],
    ['Oauth', 'ReadEncrypted', ['dynamodb']],
    ['Identity', 'ReadEncrypted', ['dynamodb']],
    ['Mails', 'ReadEncrypted', ['dynamodb']],
    ['Mails', 'EncryptUnsent', ['sqs']],
    ['Management', 'ReadEncrypted', ['dynamodb', 's3']],
    ['Management', 'EncryptFiles', ['s3']],
    ['Maintenance', 'ReadEncrypted', ['dynamodb', 'sqs']],
    ['Credentials', 'ReadEncrypted', ['dynamodb']],
    ['Connections', 'ReadEncrypted', ['dynamodb']],
    ['Activity', 'ReadEncrypted', ['dynamodb']],
    ['Tally', 'ReadEncrypted', ['dynamodb']],
  ];

  test.each(dataKeyUses)('of %s: %s uses the data key by way of %j only', (name, sid, services) => {
    const { Condition } = grantsOf(stacks, name.toLowerCase()).find(({ Sid }) => Sid === sid) ?? {};
    const { StringEquals } = Condition as Record<string, Record<string, readonly unknown[]>>;
    const named = StringEquals?.['kms:ViaService']?.map(
      (one) => /"([a-z0-9]+)\./.exec(JSON.stringify(one))?.[1],
    );
    expect(named).toEqual(services);
  });

  test('list every use of the data key', () => {
    const listed = dataKeyUses.map(([name, sid]) => `${name} ${sid}`);
    const granted = Object.keys(functions).flatMap((name) => {
      const title = name.charAt(0).toUpperCase() + name.slice(1);
      return grantsOf(stacks, name)
        .filter(({ Resource }) => JSON.stringify(Resource).includes('KeysData'))
        .map(({ Sid }) => `${title} ${Sid}`);
    });
    expect(granted.toSorted()).toEqual(listed.toSorted());
  });

  test('allow nobody but the function for mails to send any', () => {
    const senders = Object.keys(functions).filter((name) =>
      grantsOf(stacks, name).some(({ Action }) =>
        [Action].flat().some((action) => action.startsWith('ses:')),
      ),
    );
    expect(senders).toEqual(['mails']);
  });

  /** Which items of a table, by the first part of their keys. */
  const leadingKeys: readonly [name: string, statement: string, keys: string[]][] = [
    [
      'Router',
      'ReadTokens',
      ['AT#*', 'JTI#*', 'SESSION#*', 'SIGNEDOUT#*', 'SIGNINGKEYS', 'NOTBEFORE', 'PROVIDERS'],
    ],
    [
      'Router',
      'CountRequests',
      [
        'USAGE#*',
        'public_requests_per_minute_per_ip#*',
        'invalid_tokens_per_minute_per_ip#*',
        'kept_answers_per_hour_per_caller#*',
      ],
    ],
    ['Router', 'RecordEvents', ['SUBJECT#*']],
    [
      'Oauth',
      'CountRequests',
      [
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
      ],
    ],
    ['Oauth', 'ListSessions', ['SESSION#*']],
    ['Oauth', 'RecordEvents', ['SUBJECT#*']],
    ['Identity', 'ReadProviders', ['PROVIDERS']],
    ['Identity', 'KeepProviderSecrets', ['PROVIDERSECRET#*']],
    ['Identity', 'KeepPersons', ['PERSON#*']],
    ['Identity', 'RecordEvents', ['SUBJECT#*']],
    ['Mails', 'FindAccounts', ['EMAIL#*']],
    ['Mails', 'KeepMailTokens', ['MAIL#*']],
    ['Mails', 'KeepUndeliverable', ['UNDELIVERABLE#*']],
    ['Mails', 'CountMails', ['mails_per_*', 'SENTMAIL#*']],
    ['Mails', 'RecordEvents', ['SUBJECT#*']],
    ['Maintenance', 'RecordEvents', ['SUBJECT#*']],
    ['Maintenance', 'ErasePersons', ['DEVICE#*', 'IDENTITY#*', 'LOCK#*', 'MAIL#*', 'OPERATOR#*']],
    [
      'Maintenance',
      'EraseGrants',
      ['AT#*', 'CODE#*', 'GRANT#*', 'PAT#*', 'SESSION#*', 'SIGNEDOUT#*', 'TRUST#*'],
    ],
    ['Maintenance', 'EndGrants', ['GRANT#*', 'AT#*', 'JTI#*', 'NOTBEFORE', 'PROVIDERS']],
    ['Maintenance', 'EraseCallers', ['CALLS#*']],
    ['Oauth', 'KeepUsers', ['DEVICE#*', 'EMAIL#*', 'IDENTITY#*', 'LOCK#*', 'MAIL#*', 'USER#*']],
    ['Oauth', 'MarkOperators', ['OPERATOR#*']],
    ['Oauth', 'ListUsers', ['user']],
    ['Connections', 'NameCallers', ['AT#*', 'NOTBEFORE', 'SIGNEDOUT#*']],
    [
      'Oauth',
      'KeepTokens',
      [
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
      ],
    ],
    ['Oauth', 'SignMachinesIn', ['PAT#machine-*']],
    ['Oauth', 'ReadTrusts', ['PROVIDERS', 'TRUST#*']],
    ['Management', 'ChangeUsers', ['USER#*', 'EMAIL#*', 'IDENTITY#*']],
    ['Management', 'ReadOperators', ['OPERATOR#*']],
    ['Management', 'ListUsers', ['user']],
    ['Management', 'ReadSessions', ['SESSION#*', 'NOTBEFORE', 'PROVIDERS', 'SIGNINGKEYS']],
    ['Management', 'EndGrants', ['GRANT#*']],
    ['Management', 'EndAccessTokens', ['AT#*']],
    ['Management', 'KeepTokens', ['JTI#*', 'PAT#*', 'SIGNEDOUT#*', 'TRUST#*']],
    [
      'Management',
      'KeepLimits',
      [
        'IDEMPOTENCY#*',
        'LEASE#*',
        'USAGE#*',
        'description_fetches_per_hour_per_user#*',
        'gallery_per_*',
        'invitations_per_day_per_user#*',
        'management_requests_per_minute_per_user#*',
        'public_requests_per_minute_per_ip#*',
        'RECORDING#*',
        'trials_per_hour_per_user#*',
      ],
    ],
    ['Management', 'RecordEvents', ['SUBJECT#*']],
    ['Credentials', 'CountRetrievals', ['credential_*']],
    ['Credentials', 'RecordEvents', ['SUBJECT#*']],
  ];

  test.each(leadingKeys)('of %s: %s is restricted to the keys %j', (name, sid, keys) => {
    const statement = grantsOf(stacks, name.toLowerCase()).find(({ Sid }) => Sid === sid);
    expect(statement?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
    });
  });

  test('of management list grants, and no sessions, which are in the same index', () => {
    const listed = grantsOf(stacks, 'management').find(({ Sid }) => Sid === 'ListGrantsAndTokens');
    expect(listed?.Condition).toEqual({
      'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': ['SESSION#*'] },
    });
  });

  test('allow the function for mails to send them from one address only, with one configuration set', () => {
    const sent = grantsOf(stacks, 'mails').find(({ Sid }) => Sid === 'SendMails');
    expect([sent?.Resource].flat().map((one) => JSON.stringify(one))).toEqual([
      expect.stringContaining(':identity/mail.acme.com"'),
      expect.stringContaining(':identity/hosted-mcp@mail.acme.com"'),
      expect.stringMatching(/:configuration-set\/",\{"Ref":"MailSet/),
    ]);
    expect(sent?.Condition).toEqual({
      StringEquals: { 'ses:FromAddress': 'hosted-mcp@mail.acme.com' },
    });
  });

  test('allow maintenance to read no hash of a password, and to remove no account', () => {
    const grants = grantsOf(stacks, 'maintenance');
    const ofUsers = grants.filter(({ Resource }) => JSON.stringify(Resource).includes('DataUsers'));
    const keys = (of: readonly string[]) => ({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': of },
    });
    const attributes = (of: readonly string[]) => ({
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': of },
    });
    expect(ofUsers.map(({ Condition }) => Condition)).toEqual([
      keys(['UNDELIVERABLE#*']),
      attributes(USER_ATTRIBUTES),
      keys(['DEVICE#*', 'IDENTITY#*', 'LOCK#*', 'MAIL#*', 'OPERATOR#*']),
    ]);
    const secret = ['passwordHash', 'secret', 'clientSecretHash', 'accessTokens', 'rotation'];
    for (const name of secret)
      expect([...USER_ATTRIBUTES, ...OAUTH_ATTRIBUTES]).not.toContain(name);
  });
});

describe('the configuration of a stage', () => {
  test('with a custom domain disables the default endpoint', () => {
    const { service: own } = synthesized({
      domain: {
        name: 'mcp.example.com',
        certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
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

  test('is passed to the functions', () => {
    const open = synthesized({
      allowedRedirectUris: ['com.example.app:/callback'],
      rootAuthorizationServer: false,
      protocolVersions: ['2025-06-18', '2025-03-26'],
      serverCards: true,
      logLevel: 'warn',
      clientDocumentHosts: { deny: ['example.com'] },
      modelHosts: [{ name: 'ours', url: 'https://llm.example.com/v1' }],
      signUp: { domains: ['example.com'] },
      newAccountPlan: 'pro',
    });
    expect(variablesOf(open, 'FunctionsConsole')).toMatchObject({
      MODEL_HOSTS: '[{"name":"ours","url":"https://llm.example.com/v1"}]',
      LOG_LEVEL: 'warn',
    });
    expect(variablesOf(open, 'FunctionsOauth')).toMatchObject({
      ALLOWED_REDIRECT_URIS: '["com.example.app:/callback"]',
      ROOT_AUTHORIZATION_SERVER: 'false',
      CLIENT_DOCUMENT_HOSTS: '{"deny":["example.com"]}',
      SIGN_UP: '{"domains":["example.com"]}',
      NEW_ACCOUNT_PLAN: 'pro',
    });
    expect(variablesOf(open, 'FunctionsRouter')).toMatchObject({
      PROTOCOL_VERSIONS: '2025-06-18,2025-03-26',
      SERVER_CARDS: 'true',
      LOG_LEVEL: 'warn',
    });
  });

  test('maps the WWW-Authenticate header in API Gateway only on request', () => {
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

    const served = Object.values(functions).filter(({ routes }) => routes.length > 0);

    expect(integrationsOf(template)).toEqual(served.map(() => mapped));
    expect(integrationsOf(synthesized({ challengeMapping: false }).service)).toEqual(
      served.map(() => undefined),
    );
  });
});
