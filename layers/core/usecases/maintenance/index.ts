export { type BlockPorts, liftBlock, listBlocks } from './blocks.ts';
export { continueSweep, sweep, type Swept, type SweepPorts } from './sweep.ts';
