import type { AccountPorts } from '../steps/ports.ts';
import { createAccount } from '../steps/create-account.ts';
import { signInByCode } from '../steps/command-line.ts';
import { endApiSession, openApiSession } from '../steps/api-session.ts';
import { requestPasswordReset, requestSignUp } from '../steps/ask-for-mail.ts';
import { resetPassword } from '../steps/reset-password.ts';
import { apiReply, type HttpReply } from '../../platform/http/reply.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { type HttpEvent, jsonBody } from '../../platform/http/event.ts';
import { readAs } from '../../platform/http/api-body.ts';
import { isObject, member } from '../../platform/rules/json/json.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import * as z from 'zod/mini';

const text = (name: string, maxLength: number) =>
  z
    .string(`${name} must be a string.`)
    .check(z.maxLength(maxLength, `${name} must have at most ${maxLength} characters.`));

const email = text('email', 320);
/** Counts UTF-16 units, as a bound on input only: the password rules count characters and explain themselves better. */
const password = text('password', 1000);
const token = text('token', 200);

const EmailBody = z.object({ email });
/** No password is accepted before the mailbox is verified; clients that send one get this explanation. */
const SignUpBody = z.object({
  email,
  password: z.optional(
    z.undefined(
      'The password is chosen behind the link of the mail: POST /accounts/verify takes it.',
    ),
  ),
});
const NewAccountBody = z.object({ token, password, name: z.optional(text('name', 200)) });
const NewPasswordBody = z.object({ token, password });
const SignInBody = z.object({
  email,
  password,
  device_token: z.optional(text('device_token', 200)),
});

/**
 * Same answer for every caller, whether or not an account exists: it must not reveal which addresses are registered.
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
const mailed = () =>
  apiReply(202, {
    status: 'accepted',
    message: 'If the address can be used, a mail is on its way.',
  });

/** @throws ApiRefusal malformed_request */
export const sentObject = (event: HttpEvent): unknown => {
  const sent = jsonBody(event);
  if (sent !== undefined) return sent;
  throw new ApiRefusal('malformed_request', 'Send a JSON object as application/json.');
};

const addressOf = ({ requestContext }: HttpEvent): string => requestContext.http.sourceIp;

/** POST /accounts and /accounts/resend-verification: each mail invalidates the links of earlier ones. */
export const postAccount =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    await requestSignUp(ports, readAs(SignUpBody, sentObject(event)).email, addressOf(event));
    return mailed();
  };

export const postVerification =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    const sent = readAs(NewAccountBody, sentObject(event));
    await createAccount(ports, { ...sent, sourceIp: addressOf(event) });
    return apiReply(200, { email_verified: true });
  };

export const postReset =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    await requestPasswordReset(ports, readAs(EmailBody, sentObject(event)).email, addressOf(event));
    return mailed();
  };

export const postNewPassword =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    const sent = readAs(NewPasswordBody, sentObject(event));
    await resetPassword(ports, { ...sent, sourceIp: addressOf(event) });
    return apiReply(200, { password_changed: true });
  };

/** Code that a browser delivered to the command line. Ours are shorter; the maximum only bounds the input. */
const CodeBody = z.strictObject({ code: text('code', 200), verifier: text('verifier', 200) });

/** @throws ApiRefusal malformed_request, invalid_request */
export const readSignIn = (event: HttpEvent) => readAs(SignInBody, sentObject(event));

export const postSession =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    const body = sentObject(event);
    if (isObject(body) && member(body, 'code') !== undefined) return byCode(ports, event, body);
    const sent = readAs(SignInBody, body);
    const { device_token: deviceToken } = sent;
    const session = await openApiSession(ports, {
      ...sent,
      deviceToken,
      sourceIp: addressOf(event),
      userAgent: event.headers['user-agent'],
    });
    return apiReply(200, {
      access_token: session.accessToken,
      token_type: 'Bearer',
      expires_in: session.expiresInSeconds,
      device_token: session.deviceToken,
    });
  };

const byCode = async (ports: AccountPorts, event: HttpEvent, body: unknown): Promise<HttpReply> => {
  const { user, accessToken, expiresInSeconds } = await signInByCode(ports, {
    ...readAs(CodeBody, body),
    sourceIp: addressOf(event),
    userAgent: event.headers['user-agent'],
  });
  return apiReply(200, {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    email: user.email,
  });
};

export const deleteSession =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    await endApiSession(ports, event.headers['authorization']);
    return apiReply(204);
  };
