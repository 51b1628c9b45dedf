import { RouterRefusal } from '../../../domain/refusal.ts';
import type { ModernMessage, RpcMessage } from '../../../domain/rpc/index.ts';
import { isObject } from '../../../domain/json-schema/json.ts';
import type { EpochSeconds } from '../../../domain/time.ts';
import type { MethodPorts } from '../rpc-call.ts';
import type { RpcExchange } from '../rpc-exchange.ts';
import { callRecord } from './call-account.ts';
import { calledTool } from './tool-modes.ts';

type RefusedCallsPorts = Pick<MethodPorts, 'callLog' | 'clock' | 'toolIndexes'>;
type Asked = RpcMessage | ModernMessage;
type Asking = Pick<RpcExchange, 'deployment' | 'caller' | 'sender'>;

/**
 * Lets a request in; where it is refused, for a scope or a limit, the calls of tools that it asked for are put
 * on record as refused. Names that are no tool are not, and of one caller no more than 20 in a minute: who sends
 * on at the limit would fill the list of calls and its owner's bill.
 *
 * @param admit - the check, and the counting
 * @throws what `admit` throws
 *
 * Source: docs/decisions.md, "Calls are accountable".
 */
export const recordingRefusedCalls = async (
  ports: RefusedCallsPorts,
  asking: Asking,
  messages: readonly Asked[],
  admit: () => Promise<void>,
): Promise<void> => {
  try {
    await admit();
  } catch (error) {
    if (error instanceof RouterRefusal) await record(ports, asking, messages, error);
    throw error;
  }
};

const record = async (
  ports: RefusedCallsPorts,
  { deployment, caller, sender }: Asking,
  messages: readonly Asked[],
  { code }: RouterRefusal,
): Promise<void> => {
  const at = ports.clock.now();
  for (const [index, message] of messages.entries()) {
    if (message.kind !== 'request' || message.method !== 'tools/call') continue;
    if (!isObject(message.params)) continue;
    // The refusal is what is to be heard, whatever else is wrong.
    const tool = await calledTool(ports, deployment, message.params).catch(() => undefined);
    if (tool === undefined) continue;
    if (!isWithinReason(`${deployment.id} ${caller.subject}`, at)) return;
    const outcome = { outcome: 'refused', reason: code, durationMs: 0 } as const;
    ports.callLog.write(
      callRecord({ deployment, caller, sender, index }, { at, tool, ...outcome }),
    );
  }
};

const MOST_A_MINUTE = 20;

/** Of this instance, in the minute that is under way. */
const recorded = { minute: 0, counts: new Map<string, number>() };

const isWithinReason = (caller: string, at: EpochSeconds): boolean => {
  const minute = Math.floor(at / 60);
  if (minute !== recorded.minute) Object.assign(recorded, { minute, counts: new Map() });
  const count = recorded.counts.get(caller) ?? 0;
  recorded.counts.set(caller, count + 1);
  return count < MOST_A_MINUTE;
};
