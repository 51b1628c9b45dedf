import type { SitePorts } from '../../steps/ports.ts';
import { findBrowserSession } from '../../../accounts/steps/sessions.ts';
import type { Endpoint } from '../../../platform/http/endpoint.ts';
import { type HttpReply, seeOther } from '../../../platform/http/reply.ts';
import { queryParameters, queryState, type RoutedEvent } from '../../../platform/http/event.ts';
import { type Answerable, approve, deny, repeatable } from '../../steps/authorization/decide.ts';
import { beginAuthorization } from '../../steps/authorization/begin-authorization.ts';
import { describeConsent } from '../../steps/authorization/describe-consent.ts';
import { endedTicket, findAnswerable } from '../../steps/authorization/find-authorization.ts';
import type { FoundRequest } from '../../store/authorization-requests.ts';
import type { Decision } from '../../../tokens/rules/oauth-records.ts';
import { isCsrfToken } from '../../../accounts/rules/csrf.ts';
import type { ConsentContext, OpenRequest, Redisplay } from './pending-consent.ts';
import { CHOICE_FAULTS, consentView, RECORDED_NOW, SIGNED_IN_ANEW } from './consent-view.ts';
import { showSignIn } from '../../../accounts/routes/sign-in-form.ts';
import { loginView } from './login.ts';
import { type Fields, formEndpoint, show, type Site } from '../../../accounts/routes/site.ts';

/**
 * GET /authorize: from a client, or again with a ticket after the login. Unknown parameters are ignored, a client's
 * `ticket` among them. Going back in the browser after an answer shows the page again while the answer may be
 * repeated. Source: OAuth 2.1 §4.1.1; docs/protocol.md, "Authorization endpoint", "Login and consent pages".
 */
export const startAuthorize =
  (ports: SitePorts, site: Site): Endpoint =>
  async (event) => {
    const token = site.session.read(event);
    const open = await openRequest(ports, event, token);
    const session = await findBrowserSession(ports, token);
    if (open.request.slug !== undefined) event.logged.slug = open.request.slug;
    if (open.found?.isAnswered) {
      const { ticket, found } = open;
      const before =
        session && (await repeatable(ports, { ticket, found, session: session.fingerprint }));
      if (!before) throw endedTicket('answered before');
      const { slug: listed = '' } = before;
      return consent(
        ports,
        site,
        { ...open, session },
        { status: 200, chosen: { listed, typed: '' } },
      );
    }
    if (session) return consent(ports, site, { ...open, session });
    return showSignIn(ports, site, event, await loginView(ports, site, open));
  };

/** The user's decision. Source: docs/protocol.md, "Authorization endpoint", "Login and consent pages". */
export const decideAuthorize = (ports: SitePorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const ticket = fields('ticket');
    const found = await findAnswerable(ports, ticket);
    const session = await findBrowserSession(ports, site.session.read(event));
    if (!session) return seeOther(site.resumeAt(ticket));

    const asked = { ticket, request: found.request, session };
    const isProven = isCsrfToken(fields('csrf'), session.id, ticket);
    const decision = fields('decision');
    // An answered request accepts only a complete repetition; it never shows the question again.
    if (found.isAnswered && !(isProven && DECISIONS.has(decision))) {
      throw endedTicket('answered before');
    }
    if (!isProven) return consent(ports, site, asked, { status: 403, again: SIGNED_IN_ANEW });
    if (!DECISIONS.has(decision)) return consent(ports, site, asked, { status: 400 });
    const { user, asOf, fingerprint, signedInAt } = session;
    const answerable = { ticket, found, user, session: fingerprint, asOf, signedInAt };
    if (decision === 'deny') return seeOther(await deny(ports, answerable));
    return approved(ports, site, { asked, answerable }, event, fields);
  });

const DECISIONS: ReadonlySet<string> = new Set([
  'approve',
  'deny',
] satisfies Decision['decision'][]);

const openRequest = async (
  ports: SitePorts,
  event: RoutedEvent,
  session: string | undefined,
): Promise<OpenRequest & { readonly found?: FoundRequest }> => {
  const sent = queryParameters(event);
  const [ticket] = sent.get('ticket') ?? [];
  if (!sent.has('client_id') && typeof ticket === 'string') {
    const found = await findAnswerable(ports, ticket);
    return { ticket, request: found.request, found };
  }
  const { sourceIp } = event.requestContext.http;
  return beginAuthorization(ports, { sent, state: queryState(event), session, sourceIp });
};

const approved = async (
  ports: SitePorts,
  site: Site,
  { asked, answerable }: { readonly asked: ConsentContext; readonly answerable: Answerable },
  event: RoutedEvent,
  fields: Fields,
): Promise<HttpReply> => {
  const chosen = { listed: fields('server'), typed: fields('other') };
  const approval = await approve(ports, answerable, chosen, fields('recording'));
  if (approval.outcome === 'approved') {
    event.logged.slug = approval.slug;
    return seeOther(approval.location);
  }
  if (approval.outcome === 'recorded') {
    const { recording } = approval;
    return consent(ports, site, asked, { status: 409, again: RECORDED_NOW, recording, chosen });
  }
  const wrong = CHOICE_FAULTS[approval.outcome];
  return consent(ports, site, asked, { status: 400, chosen: { ...chosen, wrong } });
};

const consent = async (
  ports: SitePorts,
  site: Site,
  asked: ConsentContext,
  again: Redisplay = { status: 200 },
): Promise<HttpReply> => {
  const subject = await describeConsent(ports, asked.request, asked.session.user);
  const view = consentView(ports, site, { asked, subject, again });
  return 'lasts' in view
    ? show(again.status, (pages) => pages.consentPage(view))
    : show(403, (pages) => pages.closedServerPage(view));
};
