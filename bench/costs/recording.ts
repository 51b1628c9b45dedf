import { readFileSync } from 'node:fs';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { CallUnits } from '../calls.ts';
import type { MeasuredCall } from './measured.ts';
import type { Charged } from './options.ts';

/** What `npm run costs` measures. */
export interface Recording {
  /** The day of the measurement. */
  readonly day: string;
  /** Milliseconds of processor time of the router for a call: `npm run bench -- router-time`. */
  readonly routerCpuMs: number;
  /** Megabytes that each function has held at most: `npm run bench -- memory`. */
  readonly peakMb: Readonly<Partial<Record<FunctionName, number>>>;
  readonly call: MeasuredCall;
  /** What the record of calls takes at several rates: `npm run bench -- calls`. */
  readonly rates: readonly CallUnits[];
  /** Of the stacks of `config/prod.json`. */
  readonly stage: Charged;
  /** What each option adds to the stacks that is charged for by the month. */
  readonly options: Readonly<Record<string, Charged>>;
}

export const RECORDING = new URL('recorded.json', import.meta.url);

/** Of the last time. */
export const readRecording = (): Recording =>
  JSON.parse(readFileSync(RECORDING, 'utf8')) as Recording;
