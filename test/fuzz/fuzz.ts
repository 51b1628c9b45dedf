import { Worker } from 'node:worker_threads';
import { countsOf, type Fuzzed } from './counts.ts';
import type { SubjectName } from './subject.ts';
import type { ThreadData, Told } from './thread.ts';

export interface Bounds {
  /** Of processor time, for one case. */
  readonly mostMs: number;
  /** On the clock: a machine under load gives a thread less than it asks for. */
  readonly hangsAfterMs: number;
  readonly mostMegabytes: number;
}

/** What a case may take before it is a fault: nobody waits longer for a publication. */
const BOUNDS: Bounds = { mostMs: 2000, hangsAfterMs: 20_000, mostMegabytes: 512 };

/**
 * Runs so many cases, each in a thread that is killed if it hangs or takes too much memory, and goes on
 * with the next case then.
 */
export const fuzz = async (
  subject: SubjectName,
  count: number,
  seed: number,
  bounds: Bounds = BOUNDS,
): Promise<Fuzzed> => {
  const counts = countsOf(subject, seed);
  const hear = (told: Told): void => {
    if (told.kind === 'fault') counts.failed(told);
    if (told.kind !== 'case') return;
    counts.ended(told.outcome);
    counts.took(told.ms, told.index);
  };

  for (let from = 0; from < count;) {
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const data = { subject, seed, from, to: count, mostMs: bounds.mostMs, progress };
    const what = await threadEnd(data, bounds, hear);
    if (what === undefined) break;
    const index = Atomics.load(progress, 0) - 1;
    await threadEnd({ ...data, from: index, to: index + 1, isDry: true }, bounds, (told) => {
      if (told.kind !== 'input') return;
      counts.failed({ index, what, detail: 'Killed.', input: told.input });
    });
    from = index + 1;
  }
  return counts.fuzzed(count);
};

/** @returns why the thread ended before its last case; undefined if it did not */
const threadEnd = (
  data: ThreadData,
  { hangsAfterMs, mostMegabytes }: Bounds,
  hear: (told: Told) => void,
): Promise<string | undefined> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('thread.ts', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes, stackSizeMb: 4 },
    });
    let [running, since] = [0, performance.now()];
    const watch = setInterval(() => {
      const now = Atomics.load(data.progress, 0);
      if (now !== running) [running, since] = [now, performance.now()];
      else if (running > 0 && performance.now() - since > hangsAfterMs) end('it hangs');
    }, 100);
    let why: string | undefined;
    const end = (what: string) => {
      why ??= what;
      void worker.terminate();
    };
    worker.on('message', hear);
    worker.on('error', (error) => end(`the thread died: ${error.message}`));
    worker.on('exit', () => {
      clearInterval(watch);
      resolve(why);
    });
  });
