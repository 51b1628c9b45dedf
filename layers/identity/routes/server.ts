import * as z from 'zod/mini';
import { z as full } from 'zod';
import { operated, operatorCommand } from '../../api/operator.ts';
import { isOperatorEvent } from '../../platform/http/event.ts';
import type { InvocationContext } from '../../platform/system/clock.ts';
import type { IdentityPorts } from '../ports.ts';
import { checkProvider } from '../steps/check-provider.ts';
import {
  type CheckAnswer,
  CheckRequest,
  type RedeemAnswer,
  RedeemRequest,
  SignInFailed,
} from '../rules/redeemed.ts';
import { recheck } from '../steps/recheck.ts';
import { redeem } from '../steps/redeem.ts';
import { setSecret } from '../steps/set-secret.ts';
import type { PortsOf } from '../../platform/ports.ts';

const SetProviderSecret = full.strictObject({
  provider: full.string().min(2).max(32),
  secret: full.string().min(1).max(1024),
});

const CheckProvider = full.strictObject({ provider: full.string().min(2).max(32) });

/**
 * The only function that can decrypt the client secrets for identity providers; it has no route. The authorization
 * server sends it codes to redeem; that and the management API ask whether a provider still vouches for a user;
 * operators send it secrets.
 * @throws Error for any other event
 * Source: docs/decisions/accounts.md, "Sign-in with a company".
 */
export const server = (
  ports: PortsOf<typeof redeem | typeof checkProvider | typeof recheck | typeof operated> &
    Pick<IdentityPorts, 'identityProviderRegister' | 'providerSecrets'>,
) => {
  const operator = operated(ports, {
    'set-provider-secret': operatorCommand(
      SetProviderSecret,
      ({ provider }) => provider,
      async (command) => {
        await setSecret(ports, command);
        return { provider: command.provider };
      },
    ),
    'check-provider': operatorCommand(
      CheckProvider,
      ({ provider }) => provider,
      async ({ provider }) => {
        const { redirectUri, checks } = await checkProvider(ports, provider);
        return {
          provider,
          ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
          checks,
        };
      },
    ),
  });
  return (event: unknown, context?: InvocationContext): Promise<object> =>
    isOperatorEvent(event) ? operator(event, context) : answerTo(ports, event);
};

const answerTo = async (
  ports: PortsOf<typeof redeem | typeof recheck>,
  event: unknown,
): Promise<CheckAnswer | RedeemAnswer> => {
  const check = z.safeParse(CheckRequest, event).data;
  if (check) return recheck(ports, check.check);
  const { data } = z.safeParse(RedeemRequest, event);
  // The event is not quoted: a code is a secret.
  if (!data) throw new Error('not a sign-in to redeem');
  try {
    return await redeem(ports, data);
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error;
    return { ok: false, reason: error.reason, why: error.why.slice(0, 500) };
  }
};
