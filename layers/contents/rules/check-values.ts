import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';

export interface GivenValues {
  /** Path of the list in the request body, for JSON pointers. */
  readonly at: readonly (string | number)[];
  readonly values: readonly string[];
}

export interface ValueLimits {
  readonly completion_values_per_argument: number;
  /** UTF-8 bytes of all lists together. */
  readonly completion_values_max_bytes: number;
}

/**
 * @throws ApiRefusal limit_reached for too many or too large values, invalid_request for duplicates
 * Source: docs/protocol.md, "Completion".
 */
export const checkValues = (lists: readonly GivenValues[], limits: ValueLimits): void => {
  const most = limits.completion_values_per_argument;
  const maxBytes = limits.completion_values_max_bytes;
  let bytes = 0;
  for (const { at, values } of lists) {
    const where = pointerTo(...at);
    if (values.length > most) {
      throw beyond('completion_values_per_argument', `more than ${most} values`, where);
    }
    const twice = values.findIndex((value, index) => values.indexOf(value) < index);
    if (twice >= 0) {
      throw new ApiRefusal('invalid_request', 'A value is listed twice.', [
        { where: `${where}/${twice}`, what: 'given before', hint: 'Give each value once.' },
      ]);
    }
    for (const value of values) bytes += Buffer.byteLength(value);
    if (bytes > maxBytes) {
      throw beyond('completion_values_max_bytes', `more than ${maxBytes} bytes of values`, where);
    }
  }
};

const beyond = (limit: keyof ValueLimits, what: string, where: string): ApiRefusal =>
  new ApiRefusal(
    'limit_reached',
    `There are ${what} for completion (limit ${limit}).`,
    [{ where, what: 'too many', hint: 'Give fewer or shorter ones.' }],
    limit,
    { limit },
  );
