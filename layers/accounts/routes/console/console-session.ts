import type { AccountPorts } from '../../steps/ports.ts';
import {
  type ConsoleToken,
  issueConsoleToken,
  signInToConsole,
} from '../../steps/console/console-session.ts';
import { endBrowserSession } from '../../steps/sessions.ts';
import { KNOWN_DEVICE_SECONDS } from '../../steps/sign-in.ts';
import { apiReply, type HttpReply } from '../../../platform/http/reply.ts';
import type { Endpoint } from '../../../platform/http/endpoint.ts';
import type { RoutedEvent } from '../../../platform/http/event.ts';
import { checkScriptOrigin } from '../../../platform/rules/origin.ts';
import { readSignIn } from '../accounts.ts';
import type { Site } from '../site.ts';

/** Token for scripts, held in memory only. Source: docs/decisions/accounts.md, "Sessions of the console". */
export const consoleToken = (ports: AccountPorts, site: Site): Endpoint =>
  ownScript(site, async (event) =>
    tokenReply(await issueConsoleToken(ports, site.session.read(event))),
  );

/** Signs in without leaving the page, so that unsaved input there survives. */
export const consoleSignIn = (ports: AccountPorts, site: Site): Endpoint =>
  ownScript(site, async (event) => {
    const { email, password } = readSignIn(event);
    const device = site.device(email);
    const { sourceIp } = event.requestContext.http;
    const sent = {
      email,
      password,
      deviceToken: device.read(event),
      sourceIp,
      userAgent: event.headers['user-agent'],
    };
    const signedIn = await signInToConsole(ports, sent, site.session.read(event));
    const { token, expiresInSeconds } = signedIn.started;
    const reply = site.session.set(tokenReply(signedIn.lent), token, expiresInSeconds);
    return device.set(reply, signedIn.deviceToken, KNOWN_DEVICE_SECONDS);
  });

/** Ends the session and with it all access tokens that it issued. */
export const consoleSignOut = (ports: AccountPorts, site: Site): Endpoint =>
  ownScript(site, async (event) => {
    await endBrowserSession(ports, site.session.read(event));
    return site.session.clear(apiReply(204));
  });

const ownScript =
  (site: Site, handler: (event: RoutedEvent) => Promise<HttpReply>): Endpoint =>
  async (event) => {
    const { origin, 'sec-fetch-site': fetchSite } = event.headers;
    checkScriptOrigin({ origin, fetchSite }, site.origin);
    return handler(event);
  };

const tokenReply = ({
  accessToken,
  expiresInSeconds,
  sessionExpiresInSeconds,
  user,
  company,
}: ConsoleToken): HttpReply =>
  apiReply(200, {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    session_expires_in: sessionExpiresInSeconds,
    account: {
      id: user.id,
      email: user.email,
      ...(user.name !== undefined && { name: user.name }),
      plan: user.plan,
      ...(user.operator && { operator: true }),
    },
    ...(company && { company: { name: company.name, sign_in_at: company.address } }),
  });
