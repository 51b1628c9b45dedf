import { describe, expect, test } from '@jest/globals';
import { reasonOf } from '../../console/src/pages/server/activity/reasons.ts';

describe('why a call failed', () => {
  test('says what helps where an API takes too long: to ask for less, or the operator', () => {
    expect(reasonOf('timeout').advice).toMatch(/Ask for less[^]*operator[^]*can raise it/);
  });

  test.each(['batch_timeout', 'no_time_left', 'too_large', 'answer_cut_timeout', 'network_busy'])(
    'says what helps where no page of the server does: %s',
    (reason) => {
      expect(reasonOf(reason)).toMatchObject({ advice: expect.stringMatching(/\.$/) });
    },
  );
});
