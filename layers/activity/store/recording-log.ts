import { timeOf } from '../../platform/rules/time.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { logLine } from '../../platform/log/stdout-log.ts';
import { type Recording } from '../../deployments/rules/recording.ts';
import { RECORDED_CALL, type RecordedCall } from '../rules/recorded-content.ts';
import { callSealer } from './sealed-call.ts';

/**
 * Writes a recorded call as one log line, which the function `activity` receives. The content is sealed: readers of
 * the log learn only whose call it was and when, and nobody can read the rest once its key is deleted.
 * @param out - standard output by default. Source: docs/recordings.md, "How recordings are encrypted".
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
          // Finds a person's recorded calls for removal.
          person: fingerprint(subject),
          sealed: Buffer.from(seal(publicKey, recorded)).toString('base64'),
        }),
      );
    },
  };
};

export type RecordingLog = ReturnType<typeof stdoutRecordingLog>;
