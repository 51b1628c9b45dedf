import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { Fault } from '../../platform/rules/fault.ts';
import {
  CALLER_IDENTITY_BODY,
  CALLER_IDENTITY_TYPE,
  type CallerIdentityRequest,
} from '../rules/caller-identity.ts';
import { partitionOf } from '../rules/partition.ts';

const TIMEOUT_MS = 8000;
const MOST_BYTES = 65_536;

/**
 * Sends a signed GetCallerIdentity request to STS. Host and body are fixed here, so the caller cannot direct it
 * elsewhere.
 * @param ownRegion - region of this service
 * @param endpoint - STS of a local run; absent: AWS
 */
export const callerIdentities = (ownRegion: string, endpoint?: string) => ({
  partition: partitionOf(ownRegion).id,
  /** @returns XML of the answer @throws InvalidToken where STS refuses; Fault where it cannot be reached */
  ask: ({ region, headers }: CallerIdentityRequest): Promise<string> =>
    new Promise((resolve, reject) => {
      const url = new URL(endpoint ?? `https://sts.${region}.${partitionOf(region).suffix}`);
      const send = url.protocol === 'https:' ? overHttps : overHttp;
      const failed = (cause: Error) => reject(new Fault('web', 'STS cannot be reached', cause));
      const sent = send(
        url,
        {
          method: 'POST',
          headers: {
            ...headers,
            'content-type': CALLER_IDENTITY_TYPE,
            'content-length': CALLER_IDENTITY_BODY.length,
          },
          timeout: TIMEOUT_MS,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => {
            text += chunk;
            if (text.length > MOST_BYTES) answer.destroy(new Error('too much'));
          });
          answer.on('error', failed);
          answer.on('end', () => {
            const { statusCode = 500 } = answer;
            if (statusCode === 200) resolve(text);
            else if (statusCode >= 500) failed(new Error(`HTTP ${statusCode}`));
            else reject(new InvalidToken('AWS refuses the signature'));
          });
        },
      );
      sent.on('error', failed);
      sent.end(CALLER_IDENTITY_BODY);
    }),
});

export type CallerIdentities = ReturnType<typeof callerIdentities>;
