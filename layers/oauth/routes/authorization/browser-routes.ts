import type { SitePorts } from '../../steps/ports.ts';
import {
  companyCallback,
  companyFirst,
  companySignIn,
} from '../../../identity/routes/company-sign-in.ts';
import { commandLineForm, signInCommandLine } from '../../../accounts/routes/command-line.ts';
import type { Routes } from '../../../platform/http/endpoint.ts';
import {
  deleteSession,
  postAccount,
  postNewPassword,
  postReset,
  postSession,
  postVerification,
} from '../../../accounts/routes/accounts.ts';
import { decideAuthorize, startAuthorize } from './authorize.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { reset, resetForm, signUp, signUpForm } from '../../../accounts/routes/mail-requests.ts';
import { postMachineSession } from '../../../accounts/routes/machine-sessions.ts';
import { newPassword, newPasswordForm } from '../../../accounts/routes/new-password.ts';
import {
  consoleSignIn,
  consoleSignOut,
  consoleToken,
} from '../../../accounts/routes/console/console-session.ts';
import { deleteOwnSession, getSessions } from '../../../accounts/routes/own-sessions.ts';
import { open, openForm, postConsoleLink } from '../../../accounts/routes/console/links.ts';
import { signInForm, signInToConsole } from '../../../accounts/routes/console/sign-in.ts';
import type { Site } from '../../../accounts/routes/site.ts';
import { isOpenTicket } from '../../steps/authorization/find-authorization.ts';
import { verify, verifyForm } from '../../../accounts/routes/verify.ts';

const OAUTH = '/v1/mcp-oauth-server';
const MANAGEMENT = '/v1/mcp-management';

/** Pages for people. Source: docs/protocol.md, "Login and consent pages". */
export const pageRoutes = (ports: SitePorts, site: Site): Routes => ({
  [`${OAUTH}/authorize`]: { GET: startAuthorize(ports, site), POST: decideAuthorize(ports, site) },
  [`${OAUTH}/login`]: { POST: companyFirst(ports, site, login(ports, site)) },
  [`${OAUTH}/sign-in`]: {
    GET: signInForm(ports, site),
    POST: companyFirst(ports, site, signInToConsole(ports, site)),
  },
  // Must precede `/sign-in/{id}`, which would match it.
  [`${OAUTH}/sign-in/command-line`]: {
    GET: commandLineForm(ports, site),
    POST: signInCommandLine(ports, site),
  },
  [`${OAUTH}/sign-in/{id}`]: { GET: companySignIn(ports, site) },
  [`${OAUTH}/sign-in/{id}/callback`]: { GET: companyCallback(ports, site) },
  [`${OAUTH}/open`]: { GET: openForm(ports, site), POST: open(ports, site) },
  [`${OAUTH}/logout`]: { POST: logout(ports, site) },
  [`${OAUTH}/signup`]: { GET: signUpForm(ports, site), POST: signUp(ports, site) },
  [`${OAUTH}/reset`]: { GET: resetForm(site), POST: reset(ports, site) },
  [`${OAUTH}/reset/confirm`]: { GET: newPasswordForm(ports, site), POST: newPassword(ports, site) },
  [`${OAUTH}/verify`]: {
    GET: verifyForm(ports, site),
    POST: verify({ ...ports, isOpenTicket: (ticket) => isOpenTicket(ports, ticket) }, site),
  },
});

/** Called by scripts of the console, with the session cookie of the pages. */
export const consoleRoutes = (ports: SitePorts, site: Site): Routes => ({
  [`${OAUTH}/console/token`]: { POST: consoleToken(ports, site) },
  [`${OAUTH}/console/sign-in`]: { POST: consoleSignIn(ports, site) },
  [`${OAUTH}/console/sign-out`]: { POST: consoleSignOut(ports, site) },
});

export const accountRoutes = (ports: SitePorts, site: Site): Routes => ({
  [`${MANAGEMENT}/accounts`]: { POST: postAccount(ports) },
  [`${MANAGEMENT}/accounts/verify`]: {
    GET: verifyForm(ports, site),
    POST: postVerification(ports),
  },
  [`${MANAGEMENT}/accounts/resend-verification`]: { POST: postAccount(ports) },
  [`${MANAGEMENT}/accounts/password-reset`]: { POST: postReset(ports) },
  [`${MANAGEMENT}/accounts/password-reset/confirm`]: { POST: postNewPassword(ports) },
  [`${MANAGEMENT}/sessions`]: { GET: getSessions(ports), POST: postSession(ports) },
  [`${MANAGEMENT}/sessions/console-links`]: { POST: postConsoleLink(ports, site) },
  [`${MANAGEMENT}/sessions/current`]: { DELETE: deleteSession(ports) },
  [`${MANAGEMENT}/sessions/machine`]: { POST: postMachineSession(ports) },
  // Must be last: it would match the paths above.
  [`${MANAGEMENT}/sessions/{id}`]: { DELETE: deleteOwnSession(ports) },
});
