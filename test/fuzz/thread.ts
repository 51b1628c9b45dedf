/** The thread that cases run in: it may be killed, and its memory is bounded. */
import { parentPort, workerData } from 'node:worker_threads';
import { randomOf } from '../support/random.ts';
import { minimized } from './minimize.ts';
import { assertPristine } from './pristine.ts';
import type { Subject, SubjectName } from './subject.ts';
import { argumentSubject } from './subjects/arguments.ts';
import { descriptionSubject } from './subjects/descriptions.ts';
import { faultySubject } from './subjects/faulty.ts';
import { multipliedSubject } from './subjects/multiplied.ts';

export interface ThreadData {
  readonly subject: SubjectName;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly mostMs: number;
  /** Holds the number of the case that is running, from 1 on. */
  readonly progress: Int32Array;
  /** Whether the cases are to be told and not run, as the one that a thread was killed for. */
  readonly isDry?: true;
}

export type Told =
  | { readonly kind: 'input'; readonly input: Uint8Array }
  | { readonly kind: 'case'; readonly outcome: string; readonly ms: number; readonly index: number }
  | {
      readonly kind: 'fault';
      readonly index: number;
      readonly what: string;
      readonly detail: string;
      readonly input: Uint8Array;
    };

const SUBJECTS: Readonly<Record<SubjectName, () => Subject>> = {
  descriptions: descriptionSubject,
  arguments: argumentSubject,
  multiplied: multipliedSubject,
  faulty: faultySubject,
};

/** A case's random numbers, which do not depend on the cases before it. */
const randomFor = (seed: number, index: number) => randomOf(Math.imul(seed, 0x9e3779b1) + index);

/** How a case ends, in a word; or what was wrong. */
const endOf = async (subject: Subject, input: Uint8Array): Promise<string | Error> => {
  try {
    const outcome = await subject.run(input);
    assertPristine();
    return outcome;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

/** What was wrong, without what differs from case to case. */
const nameOf = ({ name, message, stack = '' }: Error): string => {
  const at = /\(?([^\s(/]+\/)*([\w.-]+\.ts)(:\d+)/.exec(stack.split('\n').slice(1).join('\n'));
  return `${name}: ${message.slice(0, 200)} (${at?.[2] ?? '?'}${at?.[3] ?? ''})`;
};

const run = async ({ subject: name, seed, from, to, mostMs, progress, isDry }: ThreadData) => {
  const subject = SUBJECTS[name]();
  for (let index = from; index < to; index += 1) {
    Atomics.store(progress, 0, index + 1);
    const input = subject.input(randomFor(seed, index), index);
    if (isDry) {
      tell({ kind: 'input', input });
      continue;
    }
    const started = process.threadCpuUsage();
    const end = await endOf(subject, input);
    const { user, system } = process.threadCpuUsage(started);
    const ms = (user + system) / 1000;
    if (typeof end !== 'string') await tellFault(subject, index, end, input);
    else if (ms <= mostMs) tell({ kind: 'case', outcome: end, ms, index });
    else
      tell({ kind: 'fault', index, what: `took more than ${mostMs} ms`, detail: `${ms}`, input });
  }
};

const tellFault = async (subject: Subject, index: number, fault: Error, input: Uint8Array) => {
  const what = nameOf(fault);
  const small = await minimized(input, async (smaller) => {
    const end = await endOf(subject, smaller);
    return typeof end !== 'string' && nameOf(end) === what;
  });
  tell({ kind: 'fault', index, what, detail: fault.stack ?? '', input: small });
};

const tell = (told: Told): void => parentPort?.postMessage(told);

if (parentPort) await run(workerData as ThreadData);
