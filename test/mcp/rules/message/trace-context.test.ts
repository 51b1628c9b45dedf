import { describe, expect, test } from '@jest/globals';
import { readTraceContext, traceContextOf } from '../../../../layers/mcp/rules/message.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
const stateOf = (tracestate: unknown) =>
  readTraceContext({ traceparent: TRACEPARENT, tracestate })?.tracestate;
const members = (count: number) => Array.from({ length: count }, (_, one) => `k${one}=v`).join(',');

describe('a traceparent', () => {
  test.each([
    TRACEPARENT,
    `00-${TRACE}-${PARENT}-00`,
    `00-${TRACE}-${PARENT}-ff`,
    `00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-00`,
  ])('is taken as it is: %s', (traceparent) => {
    expect(readTraceContext({ traceparent })).toEqual({ traceparent });
  });

  test.each([
    [`01-${TRACE}-${PARENT}-01`, TRACEPARENT],
    [`cc-${TRACE}-${PARENT}-03-and\r\nmore`, TRACEPARENT],
    [`fe-${TRACE}-${PARENT}-02-`, `00-${TRACE}-${PARENT}-00`],
  ])('of a later version is said in the first: %j', (sent, traceparent) => {
    expect(readTraceContext({ traceparent: sent })).toEqual({ traceparent });
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no text', 7],
    ['an empty text', ''],
    ['the version that never is', `ff-${TRACE}-${PARENT}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capital letters', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['a trace that is too short', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['no flags', `00-${TRACE}-${PARENT}`],
    ['more than the first version has', `${TRACEPARENT}-00`],
    ['a line break at the end', `${TRACEPARENT}\n`],
    ['a line break behind a later version', `01-${TRACE}-${PARENT}-01\n`],
    ['blanks around it', ` ${TRACEPARENT}`],
    ['two of them, as a gateway joins headers', `${TRACEPARENT}, ${TRACEPARENT}`],
  ])('is none if it is %s', (_, traceparent) => {
    expect(readTraceContext({ traceparent, tracestate: 'a=1' })).toBeUndefined();
  });
});

describe('a tracestate', () => {
  test.each([
    ['rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    ['a=1 ,\t b=2', 'a=1,b=2'],
    ['a=1,,b=2,', 'a=1,b=2'],
    ['tenant@vendor=x y', 'tenant@vendor=x y'],
    ['0a_-*/=!', '0a_-*/=!'],
    [members(32), members(32)],
    [`a=${'v'.repeat(256)}`, `a=${'v'.repeat(256)}`],
    [`a=${'v'.repeat(254)},b=${'v'.repeat(253)}`, `a=${'v'.repeat(254)},b=${'v'.repeat(253)}`],
  ])('is taken: %s', (sent, tracestate) => {
    expect(stateOf(sent)).toBe(tracestate);
  });

  test.each<[string, unknown]>([
    ['no text', ['a=1']],
    ['empty', ''],
    ['without a value', 'a='],
    ['without a key', '=1'],
    ['a key in capital letters', 'A=1'],
    ['a key twice', 'a=1,a=2'],
    ['a second = in a value', 'a=1=2'],
    ['a line break in a value', 'a=1\r\nx-evil: 1'],
    ['beyond ASCII', 'a=é'],
    ['33 members', members(33)],
    ['a value of 257 characters', `a=${'v'.repeat(257)}`],
    ['a key of 257 characters', `${'k'.repeat(257)}=v`],
    ['longer than 512 characters', `a=${'v'.repeat(254)},b=${'v'.repeat(254)}`],
  ])('is dropped alone if it is %s', (_, tracestate) => {
    expect(readTraceContext({ traceparent: TRACEPARENT, tracestate })).toEqual({
      traceparent: TRACEPARENT,
    });
  });
});

describe('the trace context of a message', () => {
  const ofRequest = { traceparent: `00-${TRACE}-${'1'.repeat(16)}-00`, tracestate: 'b=2' };

  test.each<[string, object, object | undefined]>([
    ['its own', { _meta: { traceparent: TRACEPARENT } }, { traceparent: TRACEPARENT }],
    ['that of the request, where its own is none', { _meta: { traceparent: 'x' } }, ofRequest],
    ['that of the request, where it has none', {}, ofRequest],
  ])('is %s', (_, params, context) => {
    expect(traceContextOf({ ...params }, ofRequest)).toEqual(context);
  });

  test('is none where neither has one, whatever baggage there is', () => {
    expect(traceContextOf({ _meta: { baggage: 'user=ada' } }, undefined)).toBeUndefined();
  });
});
