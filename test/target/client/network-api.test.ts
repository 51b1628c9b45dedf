import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { invocationTime, systemClock } from '../../../layers/platform/system/clock.ts';
import { networkApi } from '../../../layers/target/client/network-api.ts';
import { startTestAws } from '../../support/aws/aws.ts';

const aws = await startTestAws();
afterAll(() => aws.stop());
afterEach(() => aws.aws.faults.clear());

const environment = aws.aws.environment('router');
const api = networkApi({
  clock: systemClock(),
  // The policies of the account know one that is there.
  functions: { orders: 'credentials:live' },
  access: {
    region: 'eu-central-1',
    credentials: {
      accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
    endpoint: environment['AWS_ENDPOINT_URL_LAMBDA'] ?? '',
  },
  timeLeft: invocationTime(),
  timeoutSeconds: 5,
  maxBytes: 1000,
});

describe('a call in a private network', () => {
  test.each([
    ['throttle', 'network_busy'],
    ['fail', 'network_unavailable'],
  ] as const)('that Lambda ends with "%s" is %s', async (kind, reason) => {
    aws.aws.faults.inject({ kind, on: { operation: 'Invoke' } });

    const sent = api.send('dep-1', {
      method: 'POST',
      url: 'https://api.orders.internal/',
      headers: {},
      network: 'orders',
    });

    await expect(sent).rejects.toMatchObject({ name: 'NoAnswer', reason });
  });
});
