import { readFileSync } from 'node:fs';
import type { Recording } from './document.ts';

/** What `npm run costs` has measured the last time. */
export const RECORDING = new URL('recorded.json', import.meta.url);

export const readRecording = (): Recording =>
  JSON.parse(readFileSync(RECORDING, 'utf8')) as Recording;
