import { describe, expect, test } from '@jest/globals';
import { withTraceHeaders } from '../../../layers/tools/request/build-request.ts';

const request = { method: 'GET', url: 'https://api.example.com/', headers: { accept: '*/*' } };
const CONTEXT = { traceparent: '00-a-b-01', tracestate: 'a=1' };

describe('the headers of a trace', () => {
  test('are added to a request', () => {
    expect(withTraceHeaders(request, CONTEXT).headers).toEqual({ accept: '*/*', ...CONTEXT });
  });

  test('are those alone that there are', () => {
    const { headers } = withTraceHeaders(request, { traceparent: '00-a-b-01' });
    expect(headers).toEqual({ accept: '*/*', traceparent: '00-a-b-01' });
  });

  test.each([{ traceparent: 'mine' }, { tracestate: 'mine' }])(
    'never meet one that an argument or a key has set: %j',
    (own) => {
      const sent = { ...request, headers: own };
      expect(withTraceHeaders(sent, CONTEXT)).toBe(sent);
    },
  );

  test('are none without a context', () => {
    expect(withTraceHeaders(request, undefined)).toBe(request);
  });
});
