import type { Subject } from '../subject.ts';

const CASES: Readonly<Record<number, () => unknown>> = {
  1: () => (JSON.parse('null') as { member: unknown }).member,
  2: () => busyFor(300),
  3: () => Object.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true }),
  5: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  6: () => Array.from({ length: 1e9 }, () => Array(5_000_000).fill(0)),
};

/** Cases that end in every bad way there is, to see that each is found. */
export const faultySubject = (): Subject => ({
  input: (_, index) => Buffer.from(JSON.stringify({ case: index, more: ['of', { no: 'use' }] })),
  run: (input) => {
    CASES[JSON.parse(Buffer.from(input).toString('utf8')).case]?.();
    return 'fine';
  },
});

/** Of processor time, which is what counts: a machine under load gives less of it than the clock says. */
const busyFor = (milliseconds: number): void => {
  const started = process.threadCpuUsage();
  const used = () => {
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1000;
  };
  while (used() < milliseconds);
};
