import * as z from 'zod';
import {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '../../platform/rules/password-length.ts';
import { jsonBody } from '../../api/body.ts';
import type { Described } from '../../api/openapi.ts';
import { PLANS } from '../../limits/rules/plan.ts';

const email = z.string().max(320);
const password = z.string().min(MIN_PASSWORD_CHARACTERS).max(MAX_PASSWORD_CHARACTERS);
const token = z.string().max(200);

const Mailed = z.object({ status: z.literal('accepted'), message: z.string() });

const mailed = {
  202: { description: 'The same for everybody: a mail, if one can be sent.', schema: Mailed },
};

const account = { tag: 'accounts', isPublic: true } as const;

const Sessions = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      kind: z
        .enum(['browser', 'api'])
        .meta({ description: '`browser`: pages and console; `api`: a program.' }),
      current: z.boolean().meta({ description: 'Whether this request came with it.' }),
      user_agent: z
        .string()
        .optional()
        .meta({ description: 'What the browser or program calls itself.' }),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
    }),
  ),
});

const wantedLink = jsonBody(
  z.strictObject({
    expires_in: z.int().min(1).max(600).optional().meta({ description: 'Seconds; 60 if omitted.' }),
    return_to: z.string().max(500).optional().meta({
      description: 'A path below /v1/console/, or the page of a server: /v1/mcp-router/SLUG/docs.',
    }),
  }),
);

/** Routes that another function serves, for one OpenAPI document; a test compares them with its routes and inputs. */
export const accountRouteDescriptions: readonly Described[] = [
  {
    ...account,
    method: 'POST',
    path: '/accounts',
    operationId: 'signUp',
    effects: ['mail'],
    summary: 'Asks for an account. The password is chosen behind the link of the mail.',
    body: jsonBody(z.object({ email })),
    answers: mailed,
  },
  {
    ...account,
    method: 'GET',
    path: '/accounts/verify',
    operationId: 'showVerification',
    effects: [],
    summary: 'The page behind the link of the mail: there the password is chosen.',
    query: z.strictObject({ token }),
    answers: { 200: { description: 'A page.', schema: z.string(), mediaType: 'text/html' } },
  },
  {
    ...account,
    method: 'POST',
    path: '/accounts/verify',
    operationId: 'verifyEmail',
    effects: [],
    summary: 'Makes the account of the address that the mail went to.',
    body: jsonBody(z.object({ token, password, name: z.string().max(200).optional() })),
    answers: {
      200: { description: 'Confirmed.', schema: z.object({ email_verified: z.literal(true) }) },
    },
  },
  {
    ...account,
    method: 'POST',
    path: '/accounts/resend-verification',
    operationId: 'resendVerification',
    effects: ['mail'],
    summary: 'Sends the mail of the sign-up again; links of earlier ones end.',
    body: jsonBody(z.object({ email })),
    answers: mailed,
  },
  {
    ...account,
    method: 'POST',
    path: '/accounts/password-reset',
    operationId: 'requestPasswordReset',
    effects: ['mail'],
    summary: 'Sends a mail with a link to set a new password.',
    body: jsonBody(z.object({ email })),
    answers: mailed,
  },
  {
    ...account,
    method: 'POST',
    path: '/accounts/password-reset/confirm',
    operationId: 'resetPassword',
    effects: ['removal'],
    summary: 'Sets the password. All sessions and refresh tokens of the user end.',
    body: jsonBody(z.object({ token, password })),
    answers: {
      200: { description: 'Set.', schema: z.object({ password_changed: z.literal(true) }) },
    },
  },
  {
    tag: 'sessions',
    isPublic: true,
    method: 'POST',
    path: '/sessions',
    operationId: 'signIn',
    effects: ['minting'],
    summary: 'Signs in, with a password or with what a browser has brought.',
    body: jsonBody(
      z.union([
        z.object({
          email,
          password: z.string(),
          device_token: z.string().max(200).optional().meta({
            description:
              'Of an earlier sign-in to this account: failures of others then lock nothing here.',
          }),
        }),
        z.object({
          code: z.string().meta({ description: 'Good once, for two minutes.' }),
          verifier: z
            .string()
            .meta({ description: 'Of the challenge that the browser was sent with.' }),
        }),
      ]),
    ),
    answers: {
      200: {
        description: 'A session.',
        schema: z.object({
          access_token: z.string(),
          token_type: z.literal('Bearer'),
          expires_in: z.int().meta({ description: 'Seconds.' }),
          device_token: z.string().optional().meta({
            description: 'After a password: send it with the next sign-in; valid for 90 days.',
          }),
          email: z.string().optional().meta({ description: 'After a code: whose session it is.' }),
        }),
      },
    },
  },
  {
    tag: 'sessions',
    isPublic: true,
    method: 'POST',
    path: '/sessions/machine',
    operationId: 'signInMachine',
    effects: ['minting'],
    summary:
      'Signs a machine in by a token of its issuer, such as GitHub Actions, that a person trusts.',
    body: jsonBody(
      z.object({
        trust: z.string().meta({ description: 'The id of the trust; no secret.' }),
        token: z.string().meta({
          description:
            'A JWT of the issuer whose audience is the base URL of the service. Good once.',
        }),
      }),
    ),
    answers: {
      200: {
        description: 'A personal access token for a quarter of an hour.',
        schema: z.object({
          access_token: z.string(),
          token_type: z.literal('Bearer'),
          expires_in: z.int().meta({ description: 'Seconds.' }),
        }),
      },
    },
  },
  {
    tag: 'sessions',
    isPublic: false,
    forTokens: 'never',
    method: 'GET',
    path: '/sessions',
    operationId: 'listSessions',
    effects: [],
    summary: 'Where you are signed in now, the newest first.',
    answers: { 200: { description: 'At most 100.', schema: Sessions } },
  },
  {
    tag: 'sessions',
    isPublic: false,
    forTokens: 'never',
    method: 'DELETE',
    path: '/sessions/{id}',
    operationId: 'endSession',
    effects: ['removal'],
    summary: 'Ends one of your sessions, and what it has lent to the console.',
    answers: { 204: { description: 'Ended.' } },
  },
  {
    tag: 'sessions',
    isPublic: false,
    forTokens: 'never',
    method: 'POST',
    path: '/sessions/console-links',
    operationId: 'makeConsoleLink',
    effects: ['minting'],
    summary:
      'A link that opens the console in a browser, once, for the user of this session. Tokens of the console itself cannot make one.',
    body: { ...wantedLink, described: { ...wantedLink.described, required: false } },
    answers: {
      201: {
        description: 'The link. Its session ends when this one does.',
        schema: z.object({ url: z.string(), expires_in: z.int() }),
      },
    },
  },
  {
    tag: 'sessions',
    isPublic: false,
    forTokens: 'never',
    method: 'DELETE',
    path: '/sessions/current',
    operationId: 'signOut',
    effects: ['removal'],
    summary: 'Ends the session that the request comes with.',
    answers: { 204: { description: 'Ended.' } },
  },
];

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
  company: z
    .object({ name: z.string().optional(), sign_in_at: z.string() })
    .optional()
    .meta({ description: 'Where they sign in again, who have signed in with their company.' }),
});

const ofConsole = {
  tag: 'console',
  server: 'authorization',
  isPublic: false,
  forTokens: 'never',
} as const;

/** Routes of the authorization server for the console's scripts, which send the session cookie. */
export const consoleRouteDescriptions: readonly Described[] = [
  {
    ...ofConsole,
    method: 'POST',
    path: '/console/token',
    operationId: 'issueConsoleToken',
    effects: ['minting'],
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
    effects: ['minting'],
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
    effects: ['removal'],
    summary: "Ends the browser's session, if there is one, and all tokens that it has lent.",
    answers: { 204: { description: 'Nobody is signed in any more.' } },
  },
];
