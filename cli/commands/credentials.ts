import type { CredentialKind } from '../../layers/target/rules/credential.ts';
import { type Command, command } from '../command.ts';
import { findingsOf, usageFailure } from '../failure.ts';
import { type Json, jsonOf, numberOf, textOf, textsOf } from '../json.ts';
import { cell, facts } from '../text/table.ts';
import { localTime } from '../text/time.ts';
import { count } from '../text/words.ts';
import { onlyWay } from '../text/credential-needs.ts';
import { confirmExposures, YES } from '../input/opening.ts';
import { type Ask, secretFrom } from '../input/ask.ts';
import { removeCommand, showCommand } from './collections.ts';

const PLACES = ['header', 'query', 'cookie'];

interface Given {
  readonly name: string | undefined;
  readonly username: string | undefined;
  readonly place: string;
  readonly value: (question: string) => Promise<string>;
}

/** What a credential of each kind consists of, as the management API takes it. */
const MEMBERS: Readonly<Record<CredentialKind, (given: Given) => Promise<Json>>> = {
  bearer: async ({ value }) => ({ token: await value('Token') }),
  api_key: async ({ name, place, value }) => {
    if (!name) throw usageFailure('--name is missing: of the header, parameter or cookie.');
    if (!PLACES.includes(place)) {
      throw usageFailure(`--in must be one of ${PLACES.join(', ')}, not "${place}".`);
    }
    return { name, in: place, value: await value('Key') };
  },
  basic: async ({ username, value }) => {
    if (username === undefined) throw usageFailure('--username is missing.');
    return { username, password: await value('Password') };
  },
};
const KINDS = Object.keys(MEMBERS).join(', ');

const isKind = (type: string | undefined): type is CredentialKind =>
  type !== undefined && Object.hasOwn(MEMBERS, type);

const set = command({
  name: 'credential set',
  summary: 'Sets what the service sends to the target API',
  places: ['slug'],
  options: {
    type: {
      value: 'TYPE',
      help: 'bearer, api_key or basic; if omitted, what the description asks for',
    },
    name: { value: 'NAME', help: 'api_key: of the header, query parameter or cookie' },
    in: { value: 'PLACE', help: 'api_key: header (if omitted), query or cookie' },
    username: { value: 'NAME', help: 'basic: the user name' },
    origin: {
      value: 'ORIGIN',
      multiple: true,
      help: 'host it is meant for; if omitted, that of the base address and its domain',
    },
    'value-stdin': { help: 'read token, key or password from standard input' },
    ...YES,
  },
  details: [
    'You are asked for the value. It can be replaced and removed, but never read again. It is sent to',
    'the hosts it is meant for (https://api.example.com) and to no other, whatever is published later.',
    'About other hosts that the description names you are asked one by one, where a terminal is there.',
  ],
  run: async ({ api, ask, output }, { slug }, values) => {
    const { username, origin, yes, 'value-stdin': fromInput } = values;
    const path = { slug };
    const originsAt = () => api.call('GET /deployments/{slug}/credential/origins', { path });
    const only = values.type === undefined ? onlyWay(await originsAt()) : undefined;
    const { type, name } = only ? { type: textOf(only.type), name: textOf(only.name) } : values;
    if (!isKind(type)) {
      throw usageFailure(
        type === undefined
          ? `The description does not say of which type it must be: give --type, one of ${KINDS}.`
          : `--type must be one of ${KINDS}.`,
      );
    }
    const secret = {
      type,
      ...(await MEMBERS[type]({
        name,
        username,
        place: (only && textOf(only.in)) ?? values.in ?? 'header',
        value: (question) => secretFrom(ask, fromInput, '--value-stdin', question),
      })),
    };
    const { headers } = await api.present('GET /deployments/{slug}', { path });
    const prospect = yes && !ask.isPossible ? undefined : await originsAt();
    await confirmExposures(ask, findingsOf(prospect?.exposures), yes);
    const origins = origin.length > 0 ? origin : await originsFrom(ask, prospect ?? {});
    const json = { ...secret, ...(origins.length > 0 && { origins }) };
    const answer = await api.call('PUT /deployments/{slug}/credential', { path, json, headers });
    output.result(answer, [
      `The credential of ${slug} is set; calls use it at the latest 15 s from now.`,
      `It is sent to ${textsOf(answer.origins).join(', ')} and to no other host.`,
    ]);
    output.warnings(findingsOf(answer.warnings));
  },
});

/** @returns none where the service's own choice is right */
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

const show = showCommand({
  name: 'credential show',
  summary: 'Shows what kind of credential is set, never its value',
  at: 'GET /deployments/{slug}/credential',
  lines: (credential) =>
    facts({
      Type: credential.type,
      Name: credential.name,
      In: credential.in,
      'Sent to': originsText(credential),
      Set: localTime(credential.set_at),
      Refused: refusedText(jsonOf(credential.refused)),
    }),
});

const refusedText = ({ since, calls, status }: Json): string | undefined =>
  since === undefined
    ? undefined
    : `since ${cell(localTime(since))}: ${count(numberOf(calls) ?? 0, 'answer')} of HTTP ${numberOf(status)}, and none that took it; set another one`;

/** One that was set before credentials had origins is sent to none. */
const originsText = (credential: Json): unknown => {
  const origins = textsOf(credential.origins);
  return origins.length > 0 ? origins : 'no host, until it is set again';
};

const remove = removeCommand({
  name: 'credential rm',
  summary: 'Removes the credential',
  at: 'DELETE /deployments/{slug}/credential',
  line: (slug) => `${slug} has no credential any more.`,
});

export const credentialCommands: readonly Command[] = [set, show, remove];
