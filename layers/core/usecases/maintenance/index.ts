export { type BlockPorts, liftBlock, listBlocks } from './blocks.ts';
export { allowMails, mailStatus, type UndeliverablePorts } from './undeliverable.ts';
export { continueSweep, sweep, type Swept, type SweepPorts } from './sweep.ts';
