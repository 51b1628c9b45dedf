import { ACCOUNT_ID } from './account.ts';
import type { Callers } from './callers.ts';
import { AwsError } from './wire/aws-error.ts';
import { JSON_ERRORS } from './wire/json.ts';
import type { AwsService } from './wire/service.ts';
import { signatureOf } from './wire/signature.ts';
import { xml } from './wire/xml.ts';

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';

/**
 * STS, of the AWS Query protocol: GetCallerIdentity alone, which asks for no permission.
 *
 * Source: AWS STS API Reference, "GetCallerIdentity" and "Common errors".
 */
export const openSts = (callers: Pick<Callers, 'callerOf'>): AwsService => ({
  signingName: 'sts',
  maxBodyBytes: 64 * 1024,
  endpointErrors: {
    ...JSON_ERRORS,
    unsigned: ['MissingAuthenticationToken', 403],
    'unknown-caller': ['InvalidClientTokenId', 403],
    denied: ['AccessDenied', 403],
    throttled: ['Throttling', 400],
    failed: ['InternalFailure', 500],
  },
  operationOf: ({ method, headers }) => {
    const caller = callers.callerOf(signatureOf(headers.authorization)?.accessKeyId ?? '');
    return {
      name: 'GetCallerIdentity',
      accesses: () => [],
      run: async ({ body }) => {
        const sent = new URLSearchParams(body.toString());
        const isKnown =
          method === 'POST' &&
          sent.get('Action') === 'GetCallerIdentity' &&
          sent.get('Version') === '2011-06-15' &&
          sent.size === 2;
        if (!isKnown) throw new AwsError('InvalidAction', 'The action is not implemented here.');
        return {
          status: 200,
          headers: { 'content-type': 'text/xml' },
          body: xml(
            'GetCallerIdentityResponse',
            [
              [
                'GetCallerIdentityResult',
                [
                  ['Arn', `arn:aws:sts::${ACCOUNT_ID}:assumed-role/${caller}/${caller}`],
                  ['UserId', `AROA${caller}:${caller}`],
                  ['Account', ACCOUNT_ID],
                ],
              ],
            ],
            NAMESPACE,
          ),
        };
      },
    };
  },
  errorReply: ({ code, message, status }) => ({
    status,
    headers: { 'content-type': 'text/xml' },
    body: xml(
      'ErrorResponse',
      [
        [
          'Error',
          [
            ['Type', status < 500 ? 'Sender' : 'Receiver'],
            ['Code', code],
            ['Message', message],
          ],
        ],
      ],
      NAMESPACE,
    ),
  }),
});
