import { afterAll, describe, expect, test } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import { awsQuery } from '../../../cli/admin/aws-query.ts';
import { connectionOf, startTestAws } from '../../support/aws/aws.ts';

const aws = await startTestAws();
afterAll(() => aws.stop());

/** Signed as the command line signs. */
const ask = async (caller: string, parameters: Readonly<Record<string, string>>) => {
  const { endpoint, region, credentials } = connectionOf(aws.aws, caller);
  const identity = { region, credentials: () => Promise.resolve(credentials) };
  const { status, text } = await awsQuery({ fetch, environment: {} }, { SignatureV4 }, identity, {
    service: 'sts',
    endpoint,
    parameters,
    timeoutSeconds: 5,
  });
  return { status, text };
};

describe('GetCallerIdentity', () => {
  test('names the role of whoever asks, which needs no permission', async () => {
    const parameters = { Action: 'GetCallerIdentity', Version: '2011-06-15' };
    const { status, text } = await ask('console', parameters);

    expect(status).toBe(200);
    expect(text).toContain(
      '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>' +
        '<Arn>arn:aws:sts::000000000000:assumed-role/console/console</Arn>',
    );
  });

  test.each([
    ['another action', { Action: 'GetSessionToken', Version: '2011-06-15' }],
    ['another version', { Action: 'GetCallerIdentity', Version: '2010-05-08' }],
    [
      'a member that is not implemented',
      { Action: 'GetCallerIdentity', Version: '2011-06-15', X: '1' },
    ],
  ])('is all that there is: %s is refused', async (_, parameters) => {
    const { status, text } = await ask('console', parameters);

    expect(status).toBe(400);
    expect(text).toContain('<Code>InvalidAction</Code>');
  });
});
