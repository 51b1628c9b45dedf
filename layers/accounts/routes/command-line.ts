import type { Endpoint } from '../../platform/http/endpoint.ts';
import { queryParameters, type RoutedEvent } from '../../platform/http/event.ts';
import { type HttpReply, seeOther } from '../../platform/http/reply.ts';
import { PageRefusal } from '../../platform/rules/refusal/page-refusal.ts';
import type { CommandLineView } from '../../pages/index.ts';
import {
  areLettersOf,
  commandLinePath,
  type CommandLineRequest,
  commandLineRequest,
  loopbackAddress,
} from '../rules/command-line.ts';
import { csrfToken, isCsrfToken } from '../rules/csrf.ts';
import { type CommandLinePorts, makeCommandLineCode } from '../steps/command-line.ts';
import { type BrowserSession, findBrowserSession } from '../steps/sessions.ts';
import { isSignedInFor } from './after-sign-in.ts';
import { formEndpoint, show, type Site } from './site.ts';

/**
 * GET /sign-in/command-line: shows who would be signed in at the command line, and a button. Without a recent sign-in
 * it redirects to the login page first.
 * Source: docs/decisions/accounts.md, "The command line signs in with a browser".
 */
export const commandLineForm =
  (ports: CommandLinePorts, site: Site): Endpoint =>
  async (event) => {
    const sent = queryParameters(event);
    const request = readRequest((name) => {
      const [value, ...others] = sent.get(name) ?? [];
      return others.length === 0 && typeof value === 'string' ? value : '';
    });
    const session = await sessionFor(ports, site, event, request);
    return session ? shown(site, request, session) : toSignIn(site, request);
  };

export const signInCommandLine = (ports: CommandLinePorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const request = readRequest(fields);
    if (fields('decision') === 'cancel') {
      return seeOther(loopbackAddress(request, { error: 'access_denied' }));
    }
    const session = await sessionFor(ports, site, event, request);
    if (!session) return toSignIn(site, request);
    // The account may have changed in another tab since the page named it.
    if (!isCsrfToken(fields('csrf'), session.id, request.challenge)) {
      return shown(site, request, session, { status: 403, again: SIGNED_IN_ANEW });
    }
    if (!areLettersOf(fields('letters'), request.challenge)) {
      return shown(site, request, session, { status: 400, fault: OTHER_LETTERS });
    }
    const code = await makeCommandLineCode(ports, request, session);
    return seeOther(loopbackAddress(request, { code }));
  });

const SIGNED_IN_ANEW =
  'You have signed in anew since you opened this page. Look who you are signed in as, and type the letters again.';
const OTHER_LETTERS =
  'These are not the letters. Type the four that your terminal shows; if none does, close this page.';

/** @throws PageRefusal refused_command_line */
const readRequest = (parameter: Parameters<typeof commandLineRequest>[0]): CommandLineRequest => {
  const request = commandLineRequest(parameter);
  if (request) return request;
  throw new PageRefusal(
    'refused_command_line',
    'A part of the address is missing or changed: copy all of what the terminal shows.',
  );
};

const pathOf = (site: Site, request: CommandLineRequest): string =>
  commandLinePath(site.commandLine, request);

const sessionFor = async (
  ports: CommandLinePorts,
  site: Site,
  event: RoutedEvent,
  request: CommandLineRequest,
): Promise<BrowserSession | undefined> => {
  const session = await findBrowserSession(ports, site.session.read(event));
  const now = ports.clock.now();
  return session && isSignedInFor(site, pathOf(site, request), session, now) ? session : undefined;
};

const toSignIn = (site: Site, request: CommandLineRequest): HttpReply =>
  seeOther(site.signInAt(pathOf(site, request)));

const shown = (
  site: Site,
  request: CommandLineRequest,
  { id, user }: BrowserSession,
  {
    status = 200,
    ...wrong
  }: Partial<Pick<CommandLineView, 'again' | 'fault'>> & {
    readonly status?: number;
  } = {},
): Promise<HttpReply> =>
  show(status, (pages) =>
    pages.commandLinePage({
      ...site.basics,
      ...wrong,
      request: { ...request, port: String(request.port) },
      returnTo: pathOf(site, request),
      csrf: csrfToken(id, request.challenge),
      email: user.email,
    }),
  );
