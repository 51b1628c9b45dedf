import * as z from 'zod';
import { apiReply } from '../../../platform/http/reply.ts';
import { routerAddresses } from '../../../platform/rules/addresses.ts';
import { jsonBody } from '../../../api/body.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import { invite } from '../../steps/access/invite.ts';
import type { PortsOf } from '../../../platform/ports.ts';

const Sent = z.strictObject({ email: z.string().min(1).max(320) });

const Invited = z.object({
  email: z.string(),
  added: z.boolean().meta({ description: 'Whether it was not let in before.' }),
  link: z.string().meta({
    description:
      'Where it is said how clients connect, to be sent in any other way. It holds no secret.',
  }),
  accounts_by: z.enum(['anybody', 'company', 'operator']).meta({
    description:
      'Who makes an account for the address if it has none: whoever reads its mails, their company at its sign-in, or an ' +
      'operator. Whether it has one, nobody is told.',
  }),
});

/** Source: docs/decisions/accounts.md, "Invitations". */
export const invitationRoutes = (ports: PortsOf<typeof invite>): readonly ApiRoute[] => [
  ownerRoute({
    method: 'POST',
    path: '/deployments/{slug}/invitations',
    operationId: 'invite',
    effects: ['mail'],
    // Inviting a person with access only sends a mail; the step refuses to change a managed access list.
    whileManaged: () => true,
    tag: 'deployments',
    summary: 'Lets an address use it, and sends a mail there with one link that leads to it.',
    body: jsonBody(Sent),
    answers: { 201: { description: 'Who was invited.', schema: Invited } },
    handle: async ({ user: owner, may, parameters: { slug }, body: { email } }) => {
      const invited = await invite(ports, may, { owner, slug, email });
      return apiReply(201, {
        email: invited.email,
        added: invited.added,
        link: routerAddresses(ports.settings.baseUrl, slug).docs,
        accounts_by: invited.accountsBy,
      } satisfies z.input<typeof Invited>);
    },
  }),
];
