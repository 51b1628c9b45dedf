import { apiReply } from '../../../platform/http/reply.ts';
import {
  describeAccount,
  type DescribeAccountPorts,
} from '../../steps/account/describe-account.ts';
import { removeAccount, type RemoveAccountPorts } from '../../steps/account/remove-account.ts';
import { renameAccount, type RenameAccountPorts } from '../../steps/account/rename-account.ts';
import * as z from 'zod';
import { Account, accountBody } from './account-body.ts';
import { jsonBody } from '../../../api/body.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';

const AccountChange = z.strictObject({
  name: z.string().max(200).nullable().meta({
    description: 'In one line of at most 100 characters; null or an empty text for none.',
  }),
});

export const accountRoutes = (
  ports: DescribeAccountPorts & RemoveAccountPorts & RenameAccountPorts,
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
    method: 'PATCH',
    path: '/account',
    operationId: 'changeAccount',
    tag: 'account',
    summary: 'Changes the name that others see beside what its owner did.',
    body: jsonBody(AccountChange),
    answers: { 200: { description: 'The account as it is now.', schema: Account } },
    refusals: ['conflict'],
    handle: async ({ user, body: { name } }) => {
      const renamed = await renameAccount(ports, user, name);
      return apiReply(200, accountBody(await describeAccount(ports, renamed)));
    },
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
