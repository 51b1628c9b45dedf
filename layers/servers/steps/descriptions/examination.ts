import type { CallCounts } from '../../../activity/rules/call-counts.ts';
import type { CallRecord } from '../../../events/rules/call-record.ts';
import type { CredentialRefusals } from '../../../activity/rules/credential-refusals.ts';
import { MANY_CALLS, type Problem } from '../../../activity/rules/problems.ts';
import { DAY, type EpochSeconds, timeOf } from '../../../platform/rules/time.ts';
import { canBeMet, type CredentialNeed, waysText } from '../../../openapi/credential-needs.ts';
import { credentialCommand } from '../../rules/credential-command.ts';
import type { BrokenLimit } from '../../../openapi/model-apis/client-limits.ts';
import { examinedClient, examinedModels } from '../../rules/examined-tools.ts';
import { type CredentialName, MAIN } from '../../../credentials/rules/credential-name.ts';
import { namedCredentials } from '../../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import {
  PROTOCOL_VERSIONS,
  type ProtocolVersion,
} from '../../../platform/rules/protocol-versions.ts';
import { failedRetrieval, type TokenRetrieval } from '../../rules/token-retrievals.ts';
import type { Refreshed } from '../../../deployments/rules/versions.ts';
import type { Finding } from '../../../platform/rules/refusal/api-refusal.ts';

export interface ExaminedStep {
  readonly step: string;
  readonly outcome: 'ok' | 'warning' | 'failed';
  readonly what: string;
  readonly hint?: string;
}

export interface ExaminedFacts {
  readonly deployment: Deployment;
  readonly warnings: readonly Finding[];
  /** Security needs that no credential satisfies. */
  readonly unmetNeeds: readonly CredentialNeed[];
  readonly refreshed: Refreshed | undefined;
  /** Number of operations to an origin that a credential is not allowed for. */
  readonly refusedOperations: number;
  /** Credentials that the store lacked at their last retrieval. */
  readonly missingCredentials: readonly CredentialName[];
  readonly tokenRetrievals: readonly TokenRetrieval[];
  readonly credentialRefusals: readonly {
    readonly name: CredentialName;
    readonly refusals: CredentialRefusals | undefined;
  }[];
  /** Names of tools that some model API refuses. */
  readonly refusedTools: readonly string[];
  /** Limits of clients that tools exceed which all model APIs accept. */
  readonly brokenLimits?: readonly BrokenLimit[];
  readonly liveTokens: number;
  /** Counts of calls since yesterday began. */
  readonly calls: CallCounts;
  /** Newest refused calls since yesterday began. */
  readonly refused: readonly Pick<CallRecord, 'at' | 'reason' | 'origin'>[];
  /** Causes of refused calls since yesterday began, most frequent first. */
  readonly problems: readonly Problem[];
  readonly plan: PlanUse;
  /** Versions of MCP that the operator allows. */
  readonly servedVersions: readonly ProtocolVersion[];
  readonly network?: readonly ExaminedStep[];
  readonly now: EpochSeconds;
}

/** Requests in the current hour and month. */
export interface PlanUse {
  readonly plan: Plan;
  readonly hour: { readonly used: number; readonly most: number };
  readonly month: { readonly used: number; readonly most: number };
}

/** Minimum for a verdict: fewer calls prove nothing. */
const ENOUGH_CALLS = 5;

export const examined = (facts: ExaminedFacts): readonly ExaminedStep[] => [
  state(facts.deployment),
  access(facts),
  protocol(facts),
  ...pages(facts),
  ...credentials(facts),
  target(facts.deployment),
  ...(facts.network ?? []),
  examinedModels(facts.refusedTools),
  ...(facts.brokenLimits ?? []).map(examinedClient),
  description(facts.warnings),
  ...refreshing(facts),
  calls(facts.calls),
  plan(facts.plan),
  ...refusedFor(facts),
  ...refusedArguments(facts),
];

const state = ({ status, toolCount, version }: Deployment): ExaminedStep => {
  const step = 'State';
  if (status === 'active') {
    const operations = toolCount === 1 ? '1 operation' : `${toolCount} operations`;
    return { step, outcome: 'ok', what: `It serves version ${version}: ${operations}.` };
  }
  const what = 'It answers 404 to everybody.';
  const hint =
    status === 'stopped'
      ? 'The operator of this service has stopped it: ask them to release it.'
      : 'It is paused: resume it.';
  return { step, outcome: 'failed', what, hint };
};

const access = ({ deployment, liveTokens }: ExaminedFacts): ExaminedStep => {
  const step = 'Who may call';
  const { access: policy, authMethod, jwtIssuer } = deployment;
  const ok = (what: string) => ({ step, outcome: 'ok', what }) as const;
  if (authMethod === 'none') {
    const what = 'Anybody may call it, without a token.';
    return { step, outcome: 'warning', what, hint: 'Choose oauth if that is not meant.' };
  }
  if (authMethod === 'jwt') {
    if (jwtIssuer) return ok(`Whoever has a token of ${jwtIssuer.issuer}.`);
    if (liveTokens > 0) return ok('Whoever has a token that was minted for it.');
    const what = 'No token opens it: none is minted, or all have ended.';
    return { step, outcome: 'failed', what, hint: 'Mint a token, or name an issuer.' };
  }
  if (policy.mode === 'any_user') return ok('Every user of this service.');
  if (policy.mode === 'owner') return ok('You alone.');
  const named = [
    numbered(policy.emails.length, 'address', 'addresses'),
    numbered(policy.domains.length, 'domain', 'domains'),
  ].filter((one) => one !== '');
  if (named.length > 0) return ok(`You, and ${named.join(' and ')}.`);
  const what = 'The list of who may use it is empty: you alone may.';
  return { step, outcome: 'warning', what, hint: 'Name addresses or domains.' };
};

const numbered = (count: number, one: string, several: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : several}`;

/** Most clients fall back to an older version, so only calls refused for their version count. */
const protocol = ({ servedVersions: served, refused, now }: ExaminedFacts): ExaminedStep => {
  const step = 'Versions of MCP';
  const withdrawn = PROTOCOL_VERSIONS.filter((version) => !served.includes(version));
  const what =
    withdrawn.length === 0
      ? 'Clients may speak each version that is known here.'
      : `The operator of this service has withdrawn ${withdrawn.join(' and ')}; ${served.join(', ')} may be spoken.`;
  const times = refused.filter(
    ({ reason, at }) => reason === 'unsupported_protocol_version' && at > now - DAY,
  ).length;
  if (times === 0) return { step, outcome: 'ok', what };
  const hint =
    'A client that speaks no other cannot connect: update it, or ask the operator to serve its version.';
  const calls = `${counted(times)} within the last day for a version that is not served.`;
  return { step, outcome: 'warning', what: `${what} ${calls}`, hint };
};

const counted = (times: number): string =>
  times === 1 ? 'One call was refused' : `${times} calls were refused`;

/** Web pages whose requests were refused for their origin: browsers hide the reason from users. */
const pages = ({ deployment, refused }: ExaminedFacts): readonly ExaminedStep[] => {
  const theirs = refused.filter(({ reason }) => reason === 'forbidden_origin');
  if (theirs.length === 0) return [];
  const origins = [...new Set(theirs.flatMap(({ origin }) => origin ?? []))];
  const more = origins.length > NAMED_PAGES ? ', ...' : '';
  const from = origins.slice(0, NAMED_PAGES).join(', ');
  const allowed = deployment.allowedOrigins;
  const why =
    allowed.length > 0
      ? `only those of ${allowed.slice(0, NAMED_PAGES).join(', ')}${allowed.length > NAMED_PAGES ? ', ...' : ''} may use it`
      : 'pages of such addresses may not use it';
  return [
    {
      step: 'Clients in browsers',
      outcome: 'warning',
      what: `Requests from web pages (${from}${more}) were refused since yesterday: ${why}.`,
      hint: 'If you trust such a page, add its address to the origins of clients in browsers, under Access (`--allowed-origin`).',
    },
  ];
};

const NAMED_PAGES = 3;

const credentials = ({ deployment, ...facts }: ExaminedFacts): readonly ExaminedStep[] => {
  const { missingCredentials, credentialRefusals, refusedOperations } = facts;
  const [need] = facts.unmetNeeds;
  const named = namedCredentials(deployment);
  if (named.length === 0) {
    const step = 'Credential';
    if (!need) return [{ step, outcome: 'ok', what: 'None is sent, and none is asked for.' }];
    const hint = canBeMet(need)
      ? `Set it (\`${credentialCommand(deployment.slug, need)}\`).`
      : 'Leave them out.';
    return [{ step, outcome: 'warning', what: `None is sent: ${needText(need)}.`, hint }];
  }
  const isAlone = named.length === 1;
  const each = named.map(([name, { schemes }]): ExaminedStep => {
    const step = name === MAIN ? 'Credential' : `Credential ${name}`;
    if (missingCredentials.includes(name)) {
      const what = 'It is not stored any more, so that no call is sent.';
      return { step, outcome: 'failed', what, hint: 'Set it again (`credential set`).' };
    }
    const failed = failedRetrieval(facts.tokenRetrievals, name);
    if (failed) return { step, ...failed };
    const refusals = credentialRefusals.find((one) => one.name === name)?.refusals;
    if (refusals) return refusedCredential(step, refusals, isAlone);
    const calls = isAlone
      ? 'each call'
      : schemes
        ? `calls that want ${schemes.join(' or ')}`
        : 'calls to its hosts';
    return { step, outcome: 'ok', what: `It is sent with ${calls}.` };
  });
  if (each.some(({ outcome }) => outcome !== 'ok')) return each;
  const [first, ...others] = each;
  return [...(first ? [{ ...first, ...faultOfAll(need, refusedOperations) }] : []), ...others];
};

const refusedCredential = (
  step: string,
  { calls, since, status }: CredentialRefusals,
  isAlone: boolean,
): ExaminedStep => ({
  step,
  outcome: 'failed',
  what: `The API has refused ${isAlone ? 'it' : 'it, or another one of the same calls,'} since ${timeOf(since).slice(0, 16).replace('T', ' ')} UTC: ${calls === 1 ? 'an answer' : `${calls} answers`} of HTTP ${status}, and none that took it.`,
  hint: 'It may have ended, or lack a right: set one that the API takes (`credential set`).',
});

const faultOfAll = (
  need: CredentialNeed | undefined,
  refusedOperations: number,
): Omit<ExaminedStep, 'step'> | undefined => {
  if (refusedOperations > 0) {
    return {
      outcome: 'warning',
      what: `${refusedOperations} operations are refused: they go to hosts that it is not meant for.`,
      hint: 'If it is meant for them, set it again and name these hosts, too.',
    };
  }
  if (!need) return undefined;
  return {
    outcome: 'warning',
    what: `It is sent with each call, but ${needText(need)}.`,
    hint: 'The API may refuse them: set another credential, one besides under a name of its own, or leave them out.',
  };
};

const needText = (need: CredentialNeed): string => {
  const { operations, example, others } = need;
  const wants =
    operations === 1
      ? `1 operation (${example}) wants`
      : `${operations} operations (such as ${example}) want`;
  return `${wants} ${canBeMet(need) ? waysText(need) : others.join(' or ')}`;
};

const target = (deployment: Deployment): ExaminedStep => {
  const { apiBaseUrl } = deployment;
  const sent = namedCredentials(deployment).length > 0;
  const step = 'Target API';
  if (!apiBaseUrl.startsWith('http:')) {
    return { step, outcome: 'ok', what: `Calls go to ${apiBaseUrl}.` };
  }
  const what = `Calls go to ${apiBaseUrl}, without encryption${sent ? ', the credential too' : ''}.`;
  return { step, outcome: 'warning', what, hint: 'Use an https address if there is one.' };
};

const description = ({ length }: readonly Finding[]): ExaminedStep =>
  length === 0
    ? { step: 'Description', outcome: 'ok', what: 'Nothing was noticed.' }
    : {
        step: 'Description',
        outcome: 'warning',
        what: `${length} things were noticed when its tools were made.`,
        hint: 'The warnings of the server say what and where.',
      };

const refreshing = ({
  deployment: { refresh, publication },
  refreshed,
}: ExaminedFacts): readonly ExaminedStep[] => {
  if (refresh === 'off') return [];
  const step = 'Fetched again';
  if (publication.sourceUrl === undefined) {
    const what = 'The description was sent, so that there is no address to fetch it from.';
    const hint = 'Publish it by its address, or switch this off (`--refresh off`).';
    return [{ step, outcome: 'warning', what, hint }];
  }
  if (!refreshed) return [{ step, outcome: 'ok', what: `${refresh}: not yet.` }];
  const at = `${timeOf(refreshed.at).slice(0, 16).replace('T', ' ')} UTC`;
  switch (refreshed.outcome) {
    case 'held_back':
      return [
        {
          step,
          outcome: 'warning',
          what: `A new description waits for you: ${refreshed.why ?? 'it breaks calls.'}`,
          hint: 'Look at the difference (`check --slug`) and publish it, or leave it.',
        },
      ];
    case 'failed':
      return [
        {
          step,
          outcome: 'failed',
          what: `At ${at} it could not be used: ${refreshed.why ?? ''}`,
          hint: 'The version before is served on. Correct the address, or send the description.',
        },
      ];
    default:
      return [{ step, outcome: 'ok', what: `At ${at}: ${refreshed.outcome}.` }];
  }
};

const calls = ({
  calls: all,
  targetErrors,
  noAnswers,
  refused,
  errors,
  trials,
}: CallCounts): ExaminedStep => {
  const step = 'Calls since yesterday';
  const tried = trials === 0 ? '' : ` Besides, ${trials} trials of yours.`;
  const not = refused === 0 ? '' : `, ${refused} of them refused before they were sent`;
  const what = `${all === 0 ? 'None.' : `${all}, of which ${errors} failed${not}.`}${tried}`;
  if (all >= ENOUGH_CALLS && refused * 2 >= all) {
    const hint = 'The list of calls says of each why it was refused, and by whom it was made.';
    return { step, outcome: 'warning', what, hint };
  }
  if (all < ENOUGH_CALLS || errors * 2 < all) return { step, outcome: 'ok', what };
  const hint =
    noAnswers > targetErrors
      ? 'Most had no answer: is the API up, and is its address the right one?'
      : 'Most were answered with an error: is the credential the right one?';
  return { step, outcome: 'failed', what, hint };
};

/** Share of the limit, from which clients' owners are warned. Source: docs/decisions/limits.md, "Quotas". */
const NEARLY = 0.8;

const plan = ({ plan: name, hour, month }: PlanUse): ExaminedStep => {
  const step = 'Your plan';
  const isMonthNearer = month.used / month.most > hour.used / hour.most;
  const window = isMonthNearer ? 'month' : 'hour';
  const { used, most } = isMonthNearer ? month : hour;
  const what = `${used} of ${most} requests of this ${window} are used (plan ${name}).`;
  if (used < most * NEARLY) return { step, outcome: 'ok', what };
  const hint =
    `Your own calls are refused at the limit, until the ${window} ends; those of others have plans of their own, and ` +
    'trials are not counted. The operator of this service can change your plan.';
  return { step, outcome: used < most ? 'warning' : 'failed', what, hint };
};

/** Reasons for refusals before a call is read, with who can mend them. */
const REFUSALS: readonly (readonly [reason: string, why: string, hint: string])[] = [
  [
    'rate_limited',
    'the plan of whoever called, or their address, had no requests left',
    'They may call again when the hour or the month has ended. The operator of this service can change their plan.',
  ],
  [
    'insufficient_scope',
    'whoever let the client in has let it read the tools, and not call them',
    'They end its access and let it in again, with the right to call.',
  ],
];

const refusedFor = ({ refused }: ExaminedFacts): readonly ExaminedStep[] =>
  REFUSALS.flatMap(([reason, why, hint]) => {
    const times = refused.filter((one) => one.reason === reason).length;
    return times === 0
      ? []
      : [
          {
            step: reason === 'rate_limited' ? 'Plans of callers' : 'Rights of clients',
            outcome: 'warning' as const,
            what: `${times} calls since yesterday were refused: ${why}.`,
            hint,
          },
        ];
  });

/** Suggests lenient checks, which do not help with arguments of the path. */
const refusedArguments = ({ deployment, problems }: ExaminedFacts): readonly ExaminedStep[] => {
  const most = problems.find(({ remedies }) => remedies.includes('lenient_checks'));
  if (!most || most.calls < MANY_CALLS) return [];
  const { tool, calls: times, what } = most;
  return [
    {
      step: 'Refused arguments',
      outcome: 'warning',
      what: `${times} calls of ${tool} were refused, as the description has it: ${what}.`,
      hint: `If the API takes such calls, let it decide: \`set ${deployment.slug} --argument-checks lenient\`, or Settings.`,
    },
  ];
};
