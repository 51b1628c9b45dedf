import { afterAll, describe, expect, test } from '@jest/globals';
import { roleKeys } from '../../../layers/connections/store/role-keys.ts';
import type { AwsAccess } from '../../../layers/platform/aws/access.ts';
import { ACCOUNT_ID } from '../../../local/aws/account.ts';
import { startTestAws } from '../../support/aws/aws.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const aws = await startTestAws();
afterAll(() => aws.stop());

const USER = `arn:aws:sts::${ACCOUNT_ID}:assumed-role/connections/connections`;
const ROLE = `arn:aws:iam::${ACCOUNT_ID}:role/elsewhere/invoices`;

const ask = (access: AwsAccess) =>
  roleKeys({ access, roles: [ROLE] }).ask(
    {
      type: 'aws',
      roleArn: ROLE,
      region: 'eu-central-1',
      service: 'execute-api',
      origins: [],
    },
    { user: 'ann', ip: '192.0.2.1', requestId: 'r' },
    { deploymentId: 'dep-1', name: 'main', from: 'connections' },
    {},
  );

describe('a role that this service may not assume', () => {
  test('is told apart where its own policy has none', async () => {
    const environment = aws.aws.environment('connections');
    const asked = ask({
      region: 'eu-central-1',
      credentials: {
        accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? '',
        secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
      },
      endpoint: environment['AWS_ENDPOINT_URL_STS'] ?? '',
    });

    await expect(asked).rejects.toMatchObject({
      reason: 'role_not_permitted',
      why: 'sts: AccessDenied by identity-based policy',
    });
    expect(aws.aws.takeDenials()).toMatchObject([{ action: 'sts:AssumeRole', resource: ROLE }]);
  });

  test.each([
    ['', 'role_refused'],
    [' because no identity-based policy allows the sts:AssumeRole action', 'role_not_permitted'],
    [' because no permissions boundary allows the sts:TagSession action', 'role_not_permitted'],
    [' with an explicit deny in a permissions boundary', 'role_not_permitted'],
    [' with an explicit deny in an identity-based policy', 'role_not_permitted'],
    [' because no service control policy allows the sts:AssumeRole action', 'role_not_permitted'],
    [' because no role trust policy allows the sts:AssumeRole action', 'role_refused'],
    [' with an explicit deny in a resource-based policy', 'role_refused'],
    [' with an explicit deny in a resource control policy', 'role_refused'],
  ])('by the sentence of STS that ends in "%s" is %s', async (because, reason) => {
    const message = `User: ${USER} is not authorized to perform: sts:AssumeRole on resource: ${ROLE}${because}`;
    await using sts = await anHttpServer((_, response) =>
      response
        .writeHead(403, { 'content-type': 'text/xml' })
        .end(
          `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>${message}</Message></Error></ErrorResponse>`,
        ),
    );

    const asked = ask({
      region: 'eu-central-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      endpoint: sts.url,
    });

    await expect(asked).rejects.toMatchObject({ reason });
  });
});
