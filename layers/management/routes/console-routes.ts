import { PLANS } from '../../limits/rules/plan.ts';
import * as z from 'zod';
import { jsonBody } from '../../api/body.ts';
import type { Described } from '../../api/openapi.ts';

const ConsoleToken = z.object({
  access_token: z.string().meta({ description: 'For this API, to be held in memory alone.' }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds, 600 at most.' }),
  session_expires_in: z
    .int()
    .meta({ description: 'Seconds, until the session of the browser ends.' }),
  account: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string().optional(),
    plan: z.enum(PLANS),
    operator: z.literal(true).optional(),
  }),
});

const ofConsole = { tag: 'console', server: 'authorization', isPublic: false } as const;

/**
 * What the authorization server does for scripts of the console's pages, which come with the browser's
 * cookie: described here, where all that they call is.
 */
export const consoleRouteDescriptions: readonly Described[] = [
  {
    ...ofConsole,
    method: 'POST',
    path: '/console/token',
    operationId: 'issueConsoleToken',
    summary:
      "A token of the browser's session, for pages of this service alone. It ends with the session.",
    answers: { 200: { description: 'A token.', schema: ConsoleToken } },
  },
  {
    ...ofConsole,
    isPublic: true,
    method: 'POST',
    path: '/console/sign-in',
    operationId: 'signInToConsole',
    summary: 'Signs the browser in without leaving the page, for pages of this service alone.',
    body: jsonBody(z.object({ email: z.string().max(320), password: z.string() })),
    answers: {
      200: { description: 'A token, and the cookie of the session.', schema: ConsoleToken },
    },
  },
  {
    ...ofConsole,
    isPublic: true,
    method: 'POST',
    path: '/console/sign-out',
    operationId: 'signOutOfConsole',
    summary: "Ends the browser's session, if there is one, and all tokens that it has lent.",
    answers: { 204: { description: 'Nobody is signed in any more.' } },
  },
];
