import type { AccountPorts } from '../../steps/ports.ts';
import {
  CONSOLE_LINK_MAX_SECONDS,
  expectConsoleLink,
  followConsoleLink,
  makeConsoleLink,
} from '../../steps/console/console-links.ts';
import { findBrowserSession } from '../../steps/sessions.ts';
import { apiReply, type HttpReply, seeOther } from '../../../platform/http/reply.ts';
import type { Endpoint } from '../../../platform/http/endpoint.ts';
import { queryParameters } from '../../../platform/http/event.ts';
import { readAs } from '../../../platform/http/api-body.ts';
import * as z from 'zod/mini';
import { sentObject } from '../accounts.ts';
import { consoleAddress, textIn } from '../after-sign-in.ts';
import { formEndpoint, show, type Site } from '../site.ts';

const WHOLE = `expires_in must be a whole number of 1 to ${CONSOLE_LINK_MAX_SECONDS} seconds.`;

const Wanted = z.strictObject({
  expires_in: z.optional(
    z.int(WHOLE).check(z.minimum(1, WHOLE), z.maximum(CONSOLE_LINK_MAX_SECONDS, WHOLE)),
  ),
  return_to: z.optional(z.string('return_to must be a string.').check(z.maxLength(500))),
});

/** Source: docs/decisions/accounts.md, "Links to the console". */
export const postConsoleLink =
  (ports: AccountPorts, site: Site): Endpoint =>
  async (event) => {
    const sent = readAs(Wanted, (event.body ?? '') === '' ? {} : sentObject(event));
    const { authorization } = event.headers;
    const { token, expiresInSeconds } = await makeConsoleLink(
      ports,
      authorization,
      sent.expires_in,
    );
    const query = new URLSearchParams({ link: token });
    if (sent.return_to !== undefined) query.set('return_to', consoleAddress(site, sent.return_to));
    const url = `${site.origin}${site.basics.root}/open?${query.toString()}`;
    return apiReply(201, { url, expires_in: expiresInSeconds });
  };

/**
 * GET /open: shows who would be signed in, and a button. Opening the link alone signs nobody in: otherwise a link made
 * by an attacker would silently put the victim to work in the attacker's account (login CSRF).
 */
export const openForm =
  (ports: AccountPorts, site: Site): Endpoint =>
  async (event) => {
    const sent = queryParameters(event);
    const link = textIn(sent, 'link');
    const address = consoleAddress(site, textIn(sent, 'return_to'));
    const { sourceIp } = event.requestContext.http;
    const { user } = await expectConsoleLink(ports, link, sourceIp);
    const current = await findBrowserSession(ports, site.session.read(event));
    // Already signed in as this user: no session changes.
    if (current?.user.id === user.id) return seeOther(address);
    return show(200, (pages) =>
      pages.openPage({
        ...site.basics,
        link,
        returnTo: address,
        email: user.email,
        signedInAs: current?.user.email,
      }),
    );
  };

export const open = (ports: AccountPorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields): Promise<HttpReply> => {
    const { sourceIp } = event.requestContext.http;
    const before = site.session.read(event);
    const { started } = await followConsoleLink(ports, fields('link'), {
      sourceIp,
      before,
      userAgent: event.headers['user-agent'],
    });
    const reply = seeOther(consoleAddress(site, fields('return_to')));
    return site.session.set(reply, started.token, started.expiresInSeconds);
  });
