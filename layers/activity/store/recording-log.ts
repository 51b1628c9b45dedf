import { timeOf } from '../../platform/rules/time.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { logLine } from '../../platform/log/stdout-log.ts';
import { type Recording } from '../../deployments/rules/recording.ts';
import { RECORDED_CALL, type RecordedCall } from '../rules/recorded-content.ts';
import { callSealer } from './sealed-call.ts';

/**
 * Writes a recorded call as one line, which the function `activity` receives. What was sent and answered is sealed:
 * whoever reads the log learns of whom and when it is, and nothing else, and nobody reads the rest once its key is gone.
 *
 * @param out - standard output as a rule
 *
 * Source: docs/recordings.md, "How it is kept".
 */
export const stdoutRecordingLog = (out: { write(line: string): unknown } = process.stdout) => {
  const seal = callSealer();
  return {
    write: ({ publicKey, until }: Recording, recorded: RecordedCall): void => {
      const { at, requestId, index, deploymentId, subject } = recorded.call;
      out.write(
        logLine({
          time: timeOf(at),
          message: RECORDED_CALL,
          request_id: requestId,
          index,
          deployment_id: deploymentId,
          until,
          // By which what is recorded of somebody is found, to be removed.
          person: fingerprint(subject),
          sealed: Buffer.from(seal(publicKey, recorded)).toString('base64'),
        }),
      );
    },
  };
};

export type RecordingLog = ReturnType<typeof stdoutRecordingLog>;
