import type { CredentialKind } from '../../layers/target/rules/credential.ts';
import { MAIN } from '../../layers/credentials/rules/credential-name.ts';
import { CREDENTIAL_FORMS } from '../../layers/target/rules/credential-forms.ts';
import { MEMBER_OPTIONS, membersFrom } from './credential-members.ts';
import { command, type ValuesOf } from '../command.ts';
import { findingsOf, usageFailure } from '../failure.ts';
import { type Json, jsonOf, numberOf, textOf, textsOf } from '../json.ts';
import { plain, quoted } from '../text/plain.ts';
import { cell, facts } from '../text/table.ts';
import { localTime } from '../text/time.ts';
import { count } from '../text/words.ts';
import { bestProposal, credentialNeedLines, proposedOptions } from '../text/credential-needs.ts';
import { confirmExposures, YES } from '../input/opening.ts';
import { type Ask, secretFrom, textFrom } from '../input/ask.ts';
import { operationCommand, removeCommand } from './operation-command.ts';

const KINDS = Object.keys(CREDENTIAL_FORMS).join(', ');

const isKind = (type: string | undefined): type is CredentialKind =>
  type !== undefined && Object.hasOwn(CREDENTIAL_FORMS, type);

const OWN_OPTIONS = {
  type: { value: 'TYPE', help: `${KINDS}; if omitted, what the description asks for` },
  credential: {
    value: 'NAME',
    help: 'which of several: a name of yours for it; main if omitted',
  },
  scheme: {
    value: 'SCHEME',
    multiple: true,
    help: 'security scheme of the description that it is for; if omitted, all calls to its hosts',
  },
  origin: {
    value: 'ORIGIN',
    multiple: true,
    help: 'host it is meant for; if omitted, that of the base address and its domain',
  },
  'value-stdin': { help: 'read token, key or password from standard input' },
  ...YES,
} as const;

const SET_OPTIONS: typeof OWN_OPTIONS = { ...OWN_OPTIONS, ...MEMBER_OPTIONS };

const set = command({
  name: 'credential set',
  summary: 'Sets what the service sends to the target API',
  places: ['slug'],
  options: SET_OPTIONS,
  details: [
    'You are asked for the value, and for that of a --field without one. It can be replaced and removed, but never read again. It is sent to',
    'the hosts it is meant for (https://api.example.com) and to no other, whatever is published later.',
    'About other hosts that the description names you are asked one by one, where a terminal is there.',
    'A server has up to five credentials, as where calls carry two keys: set each with --credential.',
  ],
  run: async ({ api, ask, output }, { slug }, values) => {
    const { origin, scheme, yes, 'value-stdin': fromInput } = values;
    const its = values.credential ?? MAIN;
    const path = { slug };
    let looked: Promise<Json> | undefined;
    const originsAt = () =>
      (looked ??= api.call('GET /deployments/{slug}/credential/origins', { path }));
    const type = values.type ?? textOf(bestProposal(await originsAt())?.type);
    if (!isKind(type)) {
      throw usageFailure(
        type === undefined
          ? `The description does not say of which type it must be: give --type, one of ${KINDS}.`
          : `--type must be one of ${KINDS}.`,
      );
    }
    const given =
      values.type === undefined ||
      isNameWanted(type, values) ||
      (ask.isPossible && isEndpointWanted(type, values))
        ? await withProposal(ask, type, values, await originsAt())
        : values;
    const members = await membersFrom(
      type,
      given,
      (question) => secretFrom(ask, fromInput, '--value-stdin', question),
      (file) => textFrom(ask, file),
    );
    const { headers } = await api.present('GET /deployments/{slug}', { path });
    const prospect = yes && !ask.isPossible ? undefined : await originsAt();
    await confirmExposures(ask, findingsOf(prospect?.exposures), yes);
    const origins = origin.length > 0 ? origin : await originsFrom(ask, prospect ?? {});
    const json = {
      type,
      ...members,
      ...(origins.length > 0 && { origins }),
      ...(scheme.length > 0 && { schemes: scheme }),
    };
    const named = { path: { slug, name: its }, json, headers };
    const answer = await api.call('PUT /deployments/{slug}/credentials/{name}', named);
    output.result(answer, [
      `The credential ${its === MAIN ? '' : `${its} `}of ${slug} is set; calls use it within 15 s.`,
      `It is sent to ${textsOf(answer.origins).join(', ')} and to no other host.`,
      ...trustLines(answer),
    ]);
    output.warnings(findingsOf(answer.warnings));
  },
});

const isEndpointWanted = (type: CredentialKind, values: Json): boolean =>
  type === 'oauth_client' && values['token-url'] === undefined && values['issuer'] === undefined;

const isNameWanted = (type: CredentialKind, values: Json): boolean =>
  type === 'api_key' && values['name'] === undefined;

/** A secret goes elsewhere than to the API only with consent: anybody may have written the description. */
const withProposal = async (
  ask: Ask,
  type: CredentialKind,
  values: Json,
  prospect: Json,
): Promise<Json> => {
  const proposed = proposedOptions(prospect, type);
  const said = Object.fromEntries(
    Object.entries(values).filter(
      ([, its]) => its !== undefined && textsOf(its).length + Number(!Array.isArray(its)) > 0,
    ),
  );
  if (!isEndpointWanted(type, values)) return { ...values, ...proposed, ...said };
  const { 'token-url': url, issuer, ...others } = proposed;
  const place = textOf(url) ?? textOf(issuer);
  if (place === undefined) return { ...values, ...others, ...said };
  if (!ask.isPossible) {
    const option = url === undefined ? 'issuer' : 'token-url';
    throw usageFailure(
      `--${option} is missing: the description says ${place}, and the secret goes there.`,
      `If that is right, add --${option} ${quoted(plain(place))}.`,
    );
  }
  const typed = (
    await ask.line(
      `The secret goes to ${place}, as the description says. [Enter], or another address`,
    )
  ).trim();
  const chosen = typed === '' ? place : typed;
  return { ...values, ...others, [url === undefined ? 'issuer' : 'token-url']: chosen, ...said };
};

const trustLines = ({ trust_policy: policy }: Json): readonly string[] =>
  policy === undefined
    ? []
    : ['The role must trust this service:', ...JSON.stringify(policy, null, 2).split('\n')];

/** @returns no origins where the service's own choice is right */
const originsFrom = async (ask: Ask, answer: Json): Promise<readonly string[]> => {
  if (!ask.isPossible) return [];
  const meant: string[] = [];
  for (const other of textsOf(answer.other_origins)) {
    const typed = await ask.line(
      `The description names ${other} as well. Send it there, too? [y/N]`,
    );
    if (/^y(?:es)?$/i.test(typed.trim())) meant.push(other);
  }
  return meant.length > 0 ? [...textsOf(answer.origins), ...meant] : [];
};

const WHICH = {
  credential: { value: 'NAME', help: 'which of several; main if omitted' },
} as const;

const named = ({ credential = MAIN }: ValuesOf<typeof WHICH>) => ({ path: { name: credential } });

const show = operationCommand({
  name: 'credential show',
  summary: 'Shows what kind of credential is set, never its value',
  at: 'GET /deployments/{slug}/credentials/{name}',
  places: ['slug'],
  options: WHICH,
  sends: named,
  lines: (credential) => credentialLines(credential),
});

const list = command({
  name: 'credential ls',
  summary: 'Lists the credentials, never their values, and what the API asks for',
  places: ['slug'],
  run: async ({ api, output }, { slug }) => {
    const path = { slug };
    const [answer, prospect] = await Promise.all([
      api.call('GET /deployments/{slug}/credentials', { path }),
      api.call('GET /deployments/{slug}/credential/origins', { path }),
    ]);
    const all = Object.entries(jsonOf(answer.credentials));
    const lines = all.flatMap(([name, one]) => [`${name}:`, ...credentialLines(jsonOf(one)), '']);
    output.result(answer, [
      ...(all.length > 0 ? lines : ['None is set.', '']),
      ...credentialNeedLines(slug, prospect),
    ]);
  },
});

const credentialLines = (credential: Json): readonly string[] =>
  facts({
    Type: credential.type,
    Name: credential.name,
    In: credential.in,
    'Sent to': originsText(credential),
    'For schemes': credential.schemes,
    Set: localTime(credential.set_at),
    Refused: refusedText(jsonOf(credential.refused)),
  });

const refusedText = ({ since, calls, status }: Json): string | undefined =>
  since === undefined
    ? undefined
    : `since ${cell(localTime(since))}: ${count(numberOf(calls) ?? 0, 'answer')} of HTTP ${numberOf(status)}, and none that took it; set another one`;

/** A credential set before origins existed is sent nowhere. */
const originsText = (credential: Json): unknown => {
  const origins = textsOf(credential.origins);
  return origins.length > 0 ? origins : 'no host, until it is set again';
};

/** Words for where an OAuth client sends its secret. */
const SECRET_PLACES = CREDENTIAL_FORMS.oauth_client.fields['client_auth']?.words ?? {};

const test = operationCommand({
  name: 'credential test',
  summary: 'Tests a credential: requests a token with it, or reads it',
  at: 'POST /deployments/{slug}/credentials/{name}/test',
  places: ['slug'],
  options: WHICH,
  sends: named,
  lines: ({ works, expires_at: end, scopes, client_auth: by, called, problem }) =>
    facts({
      Works: works ? (called ? 'yes' : 'yes, as far as can be told without a call') : 'no',
      'Token ends': localTime(end),
      Scopes: scopes,
      'Client sends': by === undefined ? undefined : SECRET_PLACES[by],
      Called: called && `${called.operation}: HTTP ${called.status}`,
      Why: problem?.message,
      Error: problem?.error,
    }),
});

const remove = removeCommand({
  name: 'credential rm',
  changesManaged: true,
  summary: 'Removes a credential',
  at: 'DELETE /deployments/{slug}/credentials/{name}',
  places: ['slug'],
  options: WHICH,
  sends: named,
  line: ({ slug, name }) => `${slug} has no credential${name === MAIN ? '' : ` ${name}`} any more.`,
});

export const credentialCommands = [set, list, show, test, remove];
