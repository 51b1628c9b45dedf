import { type AwsAccess, errorName } from '../../platform/aws/access.ts';
import { lambdaFunction } from '../../platform/lambda/client.ts';
import { DeadlineExceeded } from '../../platform/rules/fault.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { TimeLeft } from '../../platform/rules/time-left.ts';
import { AnswerEvent, callEvent, isTooLarge, readAnswer } from '../rules/network-call.ts';
import { IDEMPOTENT, NoAnswer, type TargetAnswer, type TargetRequest } from '../rules/target.ts';
import type { TargetApi } from '../rules/web.ts';
import { firstHop } from './exchange.ts';
import { secondsFor, sendSigned } from './target-api.ts';

export interface NetworkApiOptions {
  /** For the times in signatures. */
  readonly clock: Clock;
  /** Lambda function of each network, by the network's name. */
  readonly functions: Readonly<Record<string, string>>;
  readonly access: AwsAccess;
  readonly timeLeft: TimeLeft;
  readonly timeoutSeconds: number;
  /** Longer bodies wait for the caller's `longAnswer`. */
  readonly maxBytes: number;
}

/** Seconds to the function and back, including a cold start. */
const FOR_THE_WAY = 3;

/**
 * Client for APIs in private networks: the function in the network makes the request, and checks host, addresses, and
 * the credential's origins there.
 */
export const networkApi = (options: NetworkApiOptions): TargetApi => {
  const { clock, functions, access, timeLeft, timeoutSeconds, maxBytes } = options;
  const answerMs = (timeoutSeconds + FOR_THE_WAY) * 1000;
  const invoking = (name: string, maxAttempts: number) =>
    lambdaFunction(access, name, { answerMs, maxAttempts });
  // Requests that are not idempotent are invoked once: after a broken connection to Lambda nobody knows whether they
  // were carried out.
  const invokers = new Map(
    Object.entries(functions).map(([network, name]) => [
      network,
      { once: invoking(name, 1), again: invoking(name, 2) },
    ]),
  );

  return {
    send: async (deploymentId, request, longAnswer) => {
      const network = request.network ?? '';
      const invoker = invokers.get(network);
      if (!invoker) throw new NoAnswer('unknown_network', 'there is no network of that name');
      if (secondsFor(timeoutSeconds, timeLeft) === 0) {
        throw new NoAnswer('no_time_left', 'nothing was sent');
      }
      const invoke = IDEMPOTENT.has(request.method) ? invoker.again : invoker.once;
      const sendNow = async (finished: TargetRequest): Promise<TargetAnswer> => {
        const ms = Math.min(timeLeft.ms(), answerMs);
        const event = callEvent({ deploymentId, request: finished, ms });
        if (isTooLarge(event)) throw new NoAnswer('too_large_for_network', 'nothing was sent');
        const invoked = await invoke(event, AnswerEvent).catch(notInvoked(network));
        if ('problem' in invoked) throw unavailable(network, invoked.problem);
        const answered = readAnswer(invoked.answer);
        if ('reason' in answered) throw new NoAnswer(answered.reason, answered.why);
        return answered.answer;
      };
      const answer = await (request.signature
        ? sendSigned(clock, firstHop(request), request.signature, (hop) =>
            sendNow({ ...request, ...hop, url: hop.url.href, isSigned: true }),
          )
        : sendNow(request));
      if (longAnswer && answer.body.length > maxBytes) await longAnswer();
      return answer;
    },
  };
};

/** Errors of the invocation: the function was not reached, or ended without an answer. */
const notInvoked =
  (network: string) =>
  (error: unknown): never => {
    if (error instanceof DeadlineExceeded || errorName(error) === 'TimeoutError') {
      throw new NoAnswer('timeout', `network ${network}: no answer of its function in time`);
    }
    if (errorName(error) === 'TooManyRequestsException') {
      throw new NoAnswer(
        'network_busy',
        `the function of network ${network} runs as often as it may`,
      );
    }
    throw unavailable(network, errorName(error));
  };

const unavailable = (network: string, why: string): NoAnswer =>
  new NoAnswer('network_unavailable', `the function of network ${network}: ${why}`);
