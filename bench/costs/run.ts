/** `npm run costs`: measures what a call takes, and writes docs/costs.md. Some minutes. */
import { writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { synthesized } from '../../test/support/stacks/synthesized.ts';
import { peaks } from '../memory.ts';
import { unitsOfCases } from '../calls.ts';
import { routerCpuMs } from '../router-time.ts';
import { costsDocument } from './document.ts';
import { measureCall } from './measured.ts';
import { readRecording, type Recording, RECORDING } from './recording.ts';
import { chargedByOption, chargedIn } from './stage.ts';

/** Only what does not change with the machine is measured again, in seconds. */
const isQuick = process.argv.includes('--quick');

const inMegabytes = ([name, bytes]: readonly [string, number]) => [
  name,
  Math.round(bytes / 2 ** 20),
];

const {
  routerCpuMs: cpu,
  peakMb,
  rates,
} = isQuick
  ? readRecording()
  : {
      peakMb: Object.fromEntries(Object.entries(await peaks()).map(inMegabytes)),
      routerCpuMs: Math.round((await routerCpuMs()) * 10) / 10,
      rates: await unitsOfCases(),
    };
const recording: Recording = {
  day: new Date().toISOString().slice(0, 10),
  routerCpuMs: cpu,
  peakMb,
  rates,
  call: await measureCall(),
  stage: chargedIn(synthesized()),
  options: chargedByOption(),
};
const { code } = await format('recorded.json', JSON.stringify(recording));
writeFileSync(RECORDING, code);
writeFileSync(new URL('../../docs/costs.md', import.meta.url), costsDocument(recording));
console.log('docs/costs.md is written');
