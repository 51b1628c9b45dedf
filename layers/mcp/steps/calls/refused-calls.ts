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
 * Records the tool calls of a request that is refused for a scope or a limit. Unknown tools are not recorded, and at
 * most 20 a minute of one caller: one that keeps sending at its limit would fill the list of calls and raise the
 * owner's bill.
 * @param admit - checks scopes and counts the request
 * @throws what `admit` throws. Source: docs/decisions/storage.md, "Calls are accountable".
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
    // A failure here must not replace the refusal that the caller gets.
    const tool = await calledTool(ports, deployment, message.params).catch(() => undefined);
    if (tool === undefined) continue;
    if (!isWithinReason(`${deployment.id} ${caller.subject}`, at)) return;
    const outcome = { outcome: 'refused', reason, durationMs: 0 } as const;
    const traceContext = traceContextOf(message.params, ofRequest);
    const call = { deployment, caller, sender, index, traceContext };
    ports.callLog.write(callRecord(call, { at, tool, ...outcome }));
  }
};

/** A request of a web page, before anybody was authenticated. */
interface RefusedPage {
  readonly deployment: Deployment;
  readonly sender: Sender;
  readonly traceContext: TraceContext | undefined;
  readonly origin: string;
  readonly messages: readonly RpcMessage[];
}

/**
 * Records that a web page was refused for its origin, by the tool that it calls or else by the MCP method: most pages
 * are refused before they know a tool. At most 20 a minute of one server, whatever the addresses, since anybody can
 * send these. Source: docs/decisions/storage.md, "Calls are accountable".
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
        // An arbitrary `Origin` header must not put text into the log.
        ...(isOrigin(origin) && { origin: origin.slice(0, MOST_ORIGIN_CHARS) }),
        durationMs: 0,
      },
    ),
  );
};

/** A host name has at most 253 characters. */
const MOST_ORIGIN_CHARS = 300;

const MOST_A_MINUTE = 20;

/** Counts of this instance for the current minute. */
const recorded = { minute: 0, counts: new Map<string, number>() };

const isWithinReason = (caller: string, at: EpochSeconds): boolean => {
  const minute = Math.floor(at / 60);
  if (minute !== recorded.minute) Object.assign(recorded, { minute, counts: new Map() });
  const count = recorded.counts.get(caller) ?? 0;
  recorded.counts.set(caller, count + 1);
  return count < MOST_A_MINUTE;
};
