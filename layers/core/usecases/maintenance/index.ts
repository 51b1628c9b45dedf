export { type BlockPorts, liftBlock, listBlocks } from './blocks.ts';
export { moveCredentials, type MoveCredentialsPorts } from './move-credentials.ts';
export { FAILED_QUEUES } from '../../domain/failed-work.ts';
export {
  eraseRecords,
  exportRecords,
  findPerson,
  personTrace,
  type PersonsPorts,
} from './persons.ts';
export { listFailed, redrive, type RedrivePorts } from './redrive.ts';
export { checkRestore, RESTORE_CURSOR, type RestoreCheckPorts } from './restore-check.ts';
export { allowMails, mailStatus, type UndeliverablePorts } from './undeliverable.ts';
export { takeCare, type TakeCarePorts } from './take-care.ts';
export { continueSweep, sweep, type Swept, type SweepPorts } from './sweep.ts';
