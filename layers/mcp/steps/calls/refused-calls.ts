import { isOrigin } from '../../../platform/rules/origin.ts';
import { addressSubject } from '../../../platform/rules/subject.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { RouterRefusal } from '../../../platform/rules/refusal/router-refusal.ts';
import { methodNamed } from '../../rules/methods.ts';
import type { ModernMessage } from '../../rules/modern-message.ts';
import { type RpcMessage, type TraceContext, traceContextOf } from '../../rules/message.ts';
import { isObject } from '../../../platform/rules/json/json.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { MethodPorts, RpcExchange, Sender } from '../rpc-call.ts';
import { callRecord } from './call-account.ts';
import { calledTool } from './tool-modes.ts';

type RefusedCallsPorts = Pick<MethodPorts, 'callLog' | 'clock' | 'toolIndexes'>;
type Asked = RpcMessage | ModernMessage;
type Asking = Pick<RpcExchange, 'deployment' | 'caller' | 'sender' | 'traceContext'>;

/**
 * Lets a request in; where it is refused, for a scope or a limit, the calls of tools that it asked for are put
 * on record as refused. Names that are no tool are not, and of one caller no more than 20 in a minute: who sends
 * on at the limit would fill the list of calls and its owner's bill.
 *
 * @param admit - the check, and the counting
 * @throws what `admit` throws
 *
 * Source: docs/decisions/storage.md, "Calls are accountable".
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
    if (error instanceof RouterRefusal) {
      await recordRefusedCalls(ports, asking, messages, error.code);
    }
    throw error;
  }
};

/** @param reason - why all calls among the messages are refused */
export const recordRefusedCalls = async (
  ports: RefusedCallsPorts,
  { deployment, caller, sender, traceContext: ofRequest }: Asking,
  messages: readonly Asked[],
  reason: string,
): Promise<void> => {
  const at = ports.clock.now();
  for (const [index, message] of messages.entries()) {
    if (message.kind !== 'request' || message.method !== 'tools/call') continue;
    if (!isObject(message.params)) continue;
    // The refusal is what is to be heard, whatever else is wrong.
    const tool = await calledTool(ports, deployment, message.params).catch(() => undefined);
    if (tool === undefined) continue;
    if (!isWithinReason(`${deployment.id} ${caller.subject}`, at)) return;
    const outcome = { outcome: 'refused', reason, durationMs: 0 } as const;
    const traceContext = traceContextOf(message.params, ofRequest);
    const call = { deployment, caller, sender, index, traceContext };
    ports.callLog.write(callRecord(call, { at, tool, ...outcome }));
  }
};

/** A message of a page in a browser, which nobody is known to have sent. */
interface RefusedPage {
  readonly deployment: Deployment;
  readonly sender: Sender;
  readonly traceContext: TraceContext | undefined;
  readonly origin: string;
  /** Of the body, as far as it could be read. */
  readonly messages: readonly RpcMessage[];
}

/**
 * Puts on record that a page in a browser was refused for its origin, by the tool that it calls, or else by the
 * method of MCP: most are refused before they know a tool. Of one server no more than 20 in a minute are, from
 * whatever addresses they come, since no token is asked for until then.
 *
 * Source: docs/decisions/storage.md, "Calls are accountable".
 */
export const recordRefusedPage = async (
  ports: RefusedCallsPorts,
  { deployment, sender, traceContext, origin, messages: [message] }: RefusedPage,
): Promise<void> => {
  const at = ports.clock.now();
  if (message?.kind !== 'request') return;
  const { method, params } = message;
  if (!methodNamed(method)) return;
  if (!isWithinReason(`${deployment.id} of pages`, at)) return;
  const tool = isObject(params)
    ? await calledTool(ports, deployment, params).catch(() => undefined)
    : undefined;
  const called = method === 'tools/call' ? tool : undefined;
  const caller = { kind: 'anonymous', subject: addressSubject(sender.ip) } as const;
  ports.callLog.write(
    callRecord(
      { deployment, caller, sender, index: 0, traceContext },
      {
        at,
        tool: called ?? method,
        ...(called === undefined && { withoutTool: true as const }),
        outcome: 'refused',
        reason: 'forbidden_origin',
        // A log holds no text of strangers that is not what it should be.
        ...(isOrigin(origin) && { origin: origin.slice(0, MOST_ORIGIN_CHARS) }),
        durationMs: 0,
      },
    ),
  );
};

/** A host name has 253 at most. */
const MOST_ORIGIN_CHARS = 300;

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
