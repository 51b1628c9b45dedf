import type { LimitValues } from '../../domain/access/limits.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import { NoAnswer } from '../../domain/target.ts';
import type { Ports } from '../../ports.ts';

/**
 * Gets a description from where its owner says it is.
 *
 * @throws ApiRefusal description_too_large, description_unreachable
 */
export const fetchDescription = async (
  web: Ports['web'],
  url: string,
  limits: Pick<LimitValues, 'openapi_max_bytes' | 'target_timeout_seconds'>,
): Promise<Uint8Array> => {
  const maxBytes = limits.openapi_max_bytes;
  const timeoutSeconds = limits.target_timeout_seconds;
  const answer = await web.fetch(url, { maxBytes, timeoutSeconds }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw error.reason === 'too_large'
      ? new ApiRefusal('description_too_large', `The description is larger than ${maxBytes} bytes.`)
      : unreachable(`nobody answered (${error.reason})`);
  });
  if (answer.status !== 200) throw unreachable(`it answered HTTP ${answer.status}`);
  return answer.body;
};

const unreachable = (what: string): ApiRefusal =>
  new ApiRefusal('description_unreachable', 'The description could not be fetched.', [
    {
      where: '/openapi_url',
      what,
      mend: 'Check that the address is public, uses https and answers 200, or send the description itself.',
    },
  ]);
