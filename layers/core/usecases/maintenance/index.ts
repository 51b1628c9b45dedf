export { type BlockPorts, liftBlock, listBlocks } from './blocks.ts';
export { checkRestore, RESTORE_CURSOR, type RestoreCheckPorts } from './restore-check.ts';
export { allowMails, mailStatus, type UndeliverablePorts } from './undeliverable.ts';
export { continueSweep, sweep, type Swept, type SweepPorts } from './sweep.ts';
