import { type AccountPorts, provisionAccount } from '@hosted-mcp/core/accounts';
import { operated, operatorCommand } from '@hosted-mcp/core/http';
import * as z from 'zod';

const ProvisionAccountCommand = z.strictObject({
  email: z.string().min(3).max(254),
  password: z.string().min(12).max(128).optional(),
  name: z.string().max(200).optional(),
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
  });
