import type { SitePorts } from '../../steps/ports.ts';
import { type ChoiceFault, recordingName } from '../../steps/authorization/decide.ts';
import type { ConsentSubject } from '../../steps/authorization/describe-consent.ts';
import type { LimitValues } from '../../../limits/rules/limits.ts';
import { isRecording, recordsCallsOf } from '../../../deployments/rules/recording.ts';
import { DAY, HOUR, longDate } from '../../../platform/rules/time.ts';
import { accessTokenSeconds } from '../../rules/tokens/token-life.ts';
import { MOST_ACCESS_TOKEN_SECONDS } from '../../../tokens/rules/token-life.ts';
import { csrfToken } from '../../../accounts/rules/csrf.ts';
import { shownName } from '../../../platform/rules/shown-name.ts';
import { redirectTarget, SCOPE_WORDS } from '../../rules/authorization/consent-display.ts';
import type {
  ClosedServerView,
  ConsentView,
  ShownChoice,
  ShownServer,
} from '../../../pages/index.ts';
import type { Redisplay, ConsentContext } from './pending-consent.ts';
import type { Site } from '../../../accounts/routes/site.ts';

export const SIGNED_IN_ANEW =
  'You signed in again since this page was opened, perhaps in another tab. Nothing has happened: look at the account below and decide once more.';

export const RECORDED_NOW =
  'Nothing has happened yet: calls of this server are recorded, which the page did not say. Read below what that means, and decide once more.';

export const CHOICE_FAULTS: Readonly<Record<ChoiceFault, string>> = {
  nothing_chosen: 'Choose a server, or name one.',
  two_chosen:
    'You chose a server from the list and named another: empty the field, or choose “Another server”.',
  not_open: 'There is no server of this name that you may use.',
};

const lastsAtMost = (seconds: number): string => {
  const [unit, one] = seconds < DAY ? (['hour', HOUR] as const) : (['day', DAY] as const);
  const count = Math.ceil(seconds / one);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

/** Longest life of an access token. Where the user chooses the server, that of the longest any owner can set. */
const tokenSecondsAtMost = (subject: ConsentSubject, limits: LimitValues): number =>
  subject.kind === 'named'
    ? accessTokenSeconds(subject.deployment, limits)
    : Math.max(
        accessTokenSeconds({}, limits),
        accessTokenSeconds({ accessTokenSeconds: MOST_ACCESS_TOKEN_SECONDS }, limits),
      );

export const consentView = (
  { clock, settings }: Pick<SitePorts, 'clock' | 'settings'>,
  { basics }: Site,
  { asked, subject, again }: { asked: ConsentContext; subject: ConsentSubject; again: Redisplay },
): ConsentView | ClosedServerView => {
  const { ticket, request, session } = asked;
  const common = {
    ...basics,
    ticket,
    csrf: csrfToken(session.id, ticket),
    client: shownName(request.clientName),
    email: session.user.email,
  };
  if (subject.kind === 'named' && !subject.allowed) {
    return { ...common, server: shownServer(subject.deployment) };
  }
  const { user } = session;
  const known = subject.kind === 'named' ? subject.deployment.recording : again.recording;
  const recorded =
    isRecording(known, clock.now()) && recordsCallsOf(known, user.id, user.email)
      ? known
      : undefined;
  const { kind, name } = redirectTarget(request.redirectUri);
  return {
    ...common,
    publishedAt: request.clientId.startsWith('https://') ? request.clientId : undefined,
    anyProgram: request.onDevice === true,
    place: { onThisDevice: kind === 'this_device', name },
    permissions: request.scopes.map((scope) => SCOPE_WORDS[scope]),
    lasts: lastsAtMost(
      request.withoutRefresh
        ? tokenSecondsAtMost(subject, settings.limits)
        : settings.limits.refresh_token_seconds,
    ),
    server: subject.kind === 'named' ? shownServer(subject.deployment) : undefined,
    choice: subject.kind === 'choice' ? choiceOf(subject.own.map(shownServer), again) : undefined,
    again: again.again,
    recorded: recorded && {
      name: recordingName(recorded),
      until: longDate(recorded.until),
      tool: recorded.tool,
    },
  };
};

const shownServer = (server: ShownServer): ShownServer => ({
  slug: server.slug,
  name: shownName(server.name, server.slug),
});

/** A user's only server is preselected. Source: docs/decisions/oauth.md, "One resource, three names". */
const choiceOf = (own: readonly ShownServer[], { chosen }: Redisplay): ShownChoice => {
  const listed = chosen?.listed ?? (own.length === 1 ? own[0]?.slug : undefined);
  const isOwn = own.some(({ slug }) => slug === listed);
  return {
    servers: own.map((server) => ({ ...server, chosen: server.slug === listed })),
    otherChosen: chosen !== undefined && !isOwn,
    // A server of another owner that was chosen before is put into the text field.
    typed: chosen?.typed || (isOwn ? '' : (chosen?.listed ?? '')),
    wrong: chosen?.wrong,
  };
};
