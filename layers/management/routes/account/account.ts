import { apiReply } from '../../../platform/http/reply.ts';
import {
  describeAccount,
  type DescribeAccountPorts,
} from '../../steps/account/describe-account.ts';
import { removeAccount, type RemoveAccountPorts } from '../../steps/account/remove-account.ts';
import { Account, accountBody } from './account-body.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';

export const accountRoutes = (
  ports: DescribeAccountPorts & RemoveAccountPorts,
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/account',
    operationId: 'getAccount',
    tag: 'account',
    summary: 'Who is signed in, on which plan, with its limits and what is used of them.',
    answers: { 200: { description: 'The account.', schema: Account } },
    handle: async ({ user }) => apiReply(200, accountBody(await describeAccount(ports, user))),
  }),

  ownerRoute({
    method: 'DELETE',
    path: '/account',
    operationId: 'removeAccount',
    tag: 'account',
    summary: 'Removes the account and all it owns. Its sessions end at once.',
    answers: { 204: { description: 'It is gone.' } },
    refusals: ['conflict'],
    handle: async ({ user }) => {
      await removeAccount(ports, user);
      return apiReply(204);
    },
  }),
];
