import { type AccountPorts, provisionAccount, setPlan } from '@hosted-mcp/core/accounts';
import { operated, operatorCommand } from '@hosted-mcp/core/http';
import * as z from 'zod';

const ProvisionAccountCommand = z.strictObject({
  email: z.string().min(3).max(254),
  password: z.string().min(12).max(128).optional(),
  name: z.string().max(200).optional(),
  plan: z.enum(['free', 'pro']),
});

const SetPlanCommand = z.strictObject({
  email: z.string().min(3).max(254),
  plan: z.enum(['free', 'pro']),
});

/** What operators may ask of the authorization server. */
export const operatorCommands = (ports: AccountPorts) =>
  operated({
    'provision-account': operatorCommand(ProvisionAccountCommand, async (command) => {
      const { user, created } = await provisionAccount(ports, command);
      const { id, email, plan } = user;
      return { ok: true, account: { id, email, plan }, created };
    }),
    // Its deployments follow by the management function's `set-owner-plan`, with the id in the answer.
    'set-plan': operatorCommand(SetPlanCommand, async (command) => {
      const { id, email, plan } = await setPlan(ports, command);
      return { ok: true, account: { id, email, plan } };
    }),
  });
