import type { LimitValues } from '../../../domain/access/limits.ts';
import { ApiRefusal } from '../../../domain/refusal.ts';
import { NoAnswer } from '../../../domain/target/target.ts';
import type { Ports } from '../../../ports.ts';

/** What reading, compiling and storing the largest description takes, with some to spare. */
const COMPILE_SECONDS = 8;

/**
 * Gets a description from where its owner says it is.
 *
 * @throws ApiRefusal description_too_large, description_unreachable
 * @throws DeadlineExceeded where it had too little time
 */
export const fetchDescription = async (
  web: Ports['web'],
  url: string,
  limits: Pick<LimitValues, 'openapi_max_bytes' | 'target_timeout_seconds'>,
): Promise<{ readonly bytes: Uint8Array; readonly mediaType?: string }> => {
  const maxBytes = limits.openapi_max_bytes;
  const timeoutSeconds = limits.target_timeout_seconds;
  const terms = { maxBytes, timeoutSeconds, keepsSeconds: COMPILE_SECONDS };
  const answer = await web.fetch(url, terms).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw error.reason === 'too_large'
      ? new ApiRefusal('description_too_large', `The description is larger than ${maxBytes} bytes.`)
      : unreachable(`nobody answered (${error.reason})`);
  });
  if (answer.status !== 200) throw unreachable(`it answered HTTP ${answer.status}`);
  const { 'content-type': sent = '' } = answer.headers;
  return { bytes: answer.body, ...(MEDIA_TYPE.test(sent) && { mediaType: sent }) };
};

/** Source: RFC 9110 §8.3.1; with as much behind it as anybody writes. */
const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:; *[\w-]{1,40}=[\w"'.:/-]{1,100})*$/;

const unreachable = (what: string): ApiRefusal =>
  new ApiRefusal('description_unreachable', 'The description could not be fetched.', [
    {
      where: '/openapi_url',
      what,
      hint: 'Check that the address is public, uses https and answers 200, or send the description itself.',
    },
  ]);
