import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { readdirSync, readFileSync } from 'node:fs';
import { type FunctionName, functions, tables } from '../../lambdas/manifest.ts';
import { readLimits } from '../../layers/core/domain/access/limits.ts';
import { readStage } from '../../lib/stage.ts';
import { allGrants, grantsOf, synthesized } from '../support/synthesized.ts';

let template: Template;
beforeAll(async () => {
  template = await synthesized();
});

describe('the synthesized stack', () => {
  test('has exactly the routes of the manifest, each leading to a live alias', () => {
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

  test('serves everything from the $default stage only, which logs and throttles', () => {
    template.resourceCountIs('AWS::ApiGatewayV2::Stage', 1);
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AccessLogSettings: Match.objectLike({ DestinationArn: Match.anyValue() }),
      DefaultRouteSettings: { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 },
    });
  });

  test('writes neither headers nor query strings to the access log', () => {
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

  test('opens no function to the world: only the API may invoke what has routes, and a rule what is due', () => {
    template.resourceCountIs('AWS::Lambda::Url', 0);
    const permissions = Object.values(template.findResources('AWS::Lambda::Permission'));
    for (const { Properties } of permissions as { Properties: Record<string, unknown> }[]) {
      expect(Properties['Principal']).toMatch(/^(apigateway|events)\.amazonaws\.com$/);
      expect(Properties['SourceArn']).toBeDefined();
    }
  });

  test('has management sweep once a day, at its live alias, which lets this rule alone', () => {
    template.resourceCountIs('AWS::Events::Rule', 1);
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 day)',
      State: 'ENABLED',
      Targets: [
        Match.objectLike({
          Arn: { Ref: Match.stringLikeRegexp('^FunctionsManagementLive') },
          Input: '{"operator":"sweep"}',
          RoleArn: Match.absent(),
        }),
      ],
    });
    template.resourcePropertiesCountIs(
      'AWS::Lambda::Permission',
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: { Ref: Match.stringLikeRegexp('^FunctionsManagementLive') },
        Principal: 'events.amazonaws.com',
        SourceArn: {
          'Fn::GetAtt': [Match.stringLikeRegexp('^SchedulesManagementSweep'), 'Arn'],
        },
      },
      1,
    );
  });

  test('keeps every table with recovery, its own key, deletion protection and its time to live', () => {
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

  test('keeps the bucket private, encrypted and reachable over TLS only', () => {
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

  test('keeps answers for a day, and files of deployments until they are removed', () => {
    const [bucket] = Object.values(template.findResources('AWS::S3::Bucket'));
    expect(bucket?.['Properties'].LifecycleConfiguration).toEqual({
      Rules: [{ Prefix: 'answers/', ExpirationInDays: 1, Status: 'Enabled' }],
    });
  });

  test('keeps every log group for 90 days', () => {
    const groups = Object.values(template.findResources('AWS::Logs::LogGroup'));
    expect(groups).toHaveLength(Object.keys(functions).length + 1);
    for (const group of groups) expect(group['Properties'].RetentionInDays).toBe(90);
  });

  test('has a signing key that can do nothing but sign and verify', () => {
    template.hasResourceProperties('AWS::KMS::Key', {
      KeySpec: 'ECC_NIST_P256',
      KeyUsage: 'SIGN_VERIFY',
    });
  });

  test('lets nobody decrypt with the data key directly', () => {
    const [key] = Object.entries(template.findResources('AWS::KMS::Key')).flatMap(([id, found]) =>
      id.startsWith('KeysData') ? [found] : [],
    );
    const uses = key?.['Properties'].KeyPolicy.Statement.filter((statement: { Action: string[] }) =>
      [statement.Action].flat().some((action) => /Crypt|DataKey|\*/i.test(action)),
    );
    expect(uses).toHaveLength(1);
    expect(uses[0].Condition.StringEquals['kms:ViaService']).toHaveLength(2);
  });
});

describe('the permissions', () => {
  const EDIT_ITEMS = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
    (action) => `dynamodb:${action}`,
  );
  const own = ['logs:CreateLogStream', 'logs:PutLogEvents'];

  /** What the permission table of the architecture says, action by action. */
  const table: readonly [name: string, statement: string, resource: string, actions: string[]][] = [
    ['Router', 'ReadDeployments', 'DataDeployments', ['dynamodb:GetItem']],
    ['Router', 'ReadContent', 'DataDeploymentContent', ['dynamodb:GetItem', 'dynamodb:Query']],
    ['Router', 'ReadTokens', 'DataOauth', ['dynamodb:GetItem']],
    ['Router', 'CountRequests', 'DataLimits', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['Router', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Router', 'CountToolCalls', 'DataSecurityEvents', ['dynamodb:UpdateItem']],
    ['Router', 'ReadFiles', 'DataDescriptions', ['s3:GetObject']],
    ['Router', 'KeepAnswers', 'DataDescriptions', ['s3:GetObject', 's3:PutObject']],
    ['Router', 'VerifyJwts', 'KeysSigning', ['kms:GetPublicKey']],
    ['Router', 'AskForCredentials', 'FunctionsCredentialsLive', ['lambda:InvokeFunction']],
    ['Router', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Router', 'WriteEncrypted', 'KeysData', ['kms:Encrypt']],
    ['Router', 'EncryptAnswers', 'KeysData', ['kms:GenerateDataKey']],
    ['Oauth', 'KeepUsers', 'DataUsers', EDIT_ITEMS],
    ['Oauth', 'KeepTokens', 'DataOauth', EDIT_ITEMS],
    ['Oauth', 'ReadDeployments', 'DataDeployments', ['dynamodb:GetItem']],
    ['Oauth', 'ListDeploymentsOfAnOwner', 'DataDeployments', ['dynamodb:Query']],
    ['Oauth', 'CountRequests', 'DataLimits', ['dynamodb:UpdateItem']],
    ['Oauth', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Oauth', 'SignSessions', 'KeysSigning', ['kms:Sign', 'kms:GetPublicKey']],
    ['Oauth', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Oauth', 'WriteEncrypted', 'KeysData', ['kms:Encrypt']],
    ['Management', 'TryTools', 'FunctionsRouterLive', ['lambda:InvokeFunction']],
    ['Management', 'EditDeployments', 'DataDeployments', [...EDIT_ITEMS, 'dynamodb:Scan']],
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
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    ],
    ['Management', 'ReadSessions', 'DataOauth', ['dynamodb:GetItem']],
    ['Management', 'EndGrants', 'DataOauth', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['Management', 'ListGrantsAndTokens', 'DataOauth', ['dynamodb:Query']],
    ['Management', 'KeepLimits', 'DataLimits', [...EDIT_ITEMS, 'dynamodb:Scan']],
    ['Management', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Management', 'ReadActivity', 'DataSecurityEvents', ['dynamodb:Query']],
    [
      'Management',
      'WriteFiles',
      'DataDescriptions',
      ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
    ],
    ['Management', 'ListFiles', 'DataDescriptions', ['s3:ListBucket']],
    ['Management', 'SignMintedTokens', 'KeysSigning', ['kms:Sign', 'kms:GetPublicKey']],
    [
      'Management',
      'KeepMintedTokens',
      'DataOauth',
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    ],
    ['Management', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Management', 'WriteEncrypted', 'KeysData', ['kms:Encrypt', 'kms:GenerateDataKey']],
    ['Management', 'UseCredentialsKey', 'KeysCredentials', ['kms:GenerateDataKey', 'kms:Decrypt']],
    ['Credentials', 'CountRetrievals', 'DataLimits', ['dynamodb:UpdateItem']],
    ['Credentials', 'RecordEvents', 'DataSecurityEvents', ['dynamodb:PutItem']],
    ['Credentials', 'UseCredentialsKey', 'KeysCredentials', ['kms:Decrypt']],
    ['Credentials', 'ReadEncrypted', 'KeysData', ['kms:Decrypt']],
    ['Credentials', 'WriteEncrypted', 'KeysData', ['kms:Encrypt']],
  ];

  /** Those that reach what the stack does not make. */
  const outside: readonly [name: string, statement: string, actions: string[]][] = [
    ['Oauth', 'SendMails', ['ses:SendEmail']],
    [
      'Management',
      'WriteCredentials',
      ['CreateSecret', 'PutSecretValue', 'DeleteSecret', 'TagResource'].map(
        (action) => `secretsmanager:${action}`,
      ),
    ],
    ['Credentials', 'ReadCredentials', ['secretsmanager:GetSecretValue']],
  ];

  test.each(Object.keys(functions))('of %s are those of the table and no others', (name) => {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
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

  test.each(table)('of %s: %s reaches %s alone', (name, sid, resource) => {
    const statement = grantsOf(template, name).find(({ Sid }) => Sid === sid);
    const resources = [statement?.Resource].flat().map((one) => JSON.stringify(one));
    expect(resources.length).toBeGreaterThan(0);
    for (const one of resources) expect(one).toMatch(new RegExp(`"${resource}[0-9A-F]{8}"`));
  });

  test('never have a bare wildcard as action or resource', () => {
    for (const { Action, Resource, Effect } of allGrants(template)) {
      expect(Effect).toBe('Allow');
      for (const action of [Action].flat()) expect(action).not.toContain('*');
      for (const resource of [Resource].flat()) expect(resource).not.toBe('*');
    }
  });

  test('use the data key only by way of the services that store', () => {
    const statements = allGrants(template).filter(({ Resource }) =>
      JSON.stringify(Resource).includes('KeysData'),
    );
    expect(statements.length).toBeGreaterThan(0);
    for (const { Condition } of statements) {
      expect(JSON.stringify(Condition)).toContain('kms:ViaService');
    }
  });

  test('let the router write answers that are kept, and no other files', () => {
    const grants = grantsOf(template, 'Router');
    const writing = grants.filter(({ Action }) => [Action].flat().includes('s3:PutObject'));
    expect(writing.map(({ Sid }) => Sid)).toEqual(['KeepAnswers']);
    expect(JSON.stringify(writing[0]?.Resource)).toMatch(/"\/answers\/\*"\]\]\}$/);

    const { Condition } = grants.find(({ Sid }) => Sid === 'EncryptAnswers') ?? {};
    const service = JSON.stringify(Condition).match(/"(dynamodb|s3)\./g);
    expect(service).toEqual(['"s3.']);
  });

  test('let the authorization server send mail from one address of one identity', () => {
    const sent = grantsOf(template, 'Oauth').find(({ Sid }) => Sid === 'SendMails');
    expect(JSON.stringify(sent?.Resource)).toContain(':identity/example.com"');
    expect(sent?.Condition).toEqual({
      StringEquals: { 'ses:FromAddress': 'hosted-mcp@example.com' },
    });
  });

  test('let the management function end grants with their access tokens', () => {
    const ending = grantsOf(template, 'Management').find(({ Sid }) => Sid === 'EndGrants');
    expect(ending?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['GRANT#*', 'AT#*'] },
    });
  });

  test('let the management function write minted tokens and nothing else among the tokens', () => {
    const kept = grantsOf(template, 'Management').find(({ Sid }) => Sid === 'KeepMintedTokens');
    expect(kept?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['JTI#*'] },
    });
  });
});

describe('a stage', () => {
  test('with a domain of its own is served there and nowhere else', async () => {
    const own = await synthesized({
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
  });

  test('passes on what its file allows', async () => {
    const open = await synthesized({
      allowedRedirectUris: ['com.example.app:/callback'],
      rootAuthorizationServer: true,
    });
    open.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          ALLOWED_REDIRECT_URIS: '["com.example.app:/callback"]',
          ROOT_AUTHORIZATION_SERVER: 'true',
        }),
      },
    });
  });

  test('maps challenges back at the API only where it says so (D3)', async () => {
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

  test.each(readdirSync('config'))('%s overrides only limits that exist', (file) => {
    const { limits } = JSON.parse(readFileSync(`config/${file}`, 'utf8'));
    expect(() => readLimits(JSON.stringify(limits))).not.toThrow();
    expect(readStage(file.replace('.json', '')).logRetentionDays).toBe(90);
  });

  test.each(['nowhere', '../package', 'Prod', ''])('%j is refused', (name) => {
    expect(() => readStage(name)).toThrow('there is no stage');
  });
});
