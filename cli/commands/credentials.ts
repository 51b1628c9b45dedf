import type { CredentialKind } from '../../layers/target/rules/credential.ts';
import { MAIN } from '../../layers/credentials/rules/credential-name.ts';
import { MEMBERS } from './credential-members.ts';
import { type Command, command, type ValuesOf } from '../command.ts';
import { findingsOf, usageFailure } from '../failure.ts';
import { type Json, jsonOf, numberOf, textOf, textsOf } from '../json.ts';
import { cell, facts } from '../text/table.ts';
import { localTime } from '../text/time.ts';
import { count } from '../text/words.ts';
import { credentialNeedLines, onlyWay } from '../text/credential-needs.ts';
import { confirmExposures, YES } from '../input/opening.ts';
import { type Ask, secretFrom } from '../input/ask.ts';
import { operationCommand, removeCommand } from './operation-command.ts';

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
      help: 'bearer, api_key, basic, oauth_client, session, aws, mutual_tls or hmac; if omitted, what the description asks for',
    },
    credential: {
      value: 'NAME',
      help: 'which of several: a name of yours for it; main if omitted',
    },
    scheme: {
      value: 'SCHEME',
      multiple: true,
      help: 'security scheme of the description that it is for; if omitted, all calls to its hosts',
    },
    name: { value: 'NAME', help: 'api_key: of the header, query parameter or cookie' },
    in: { value: 'PLACE', help: 'api_key: header (if omitted), query or cookie' },
    username: { value: 'NAME', help: 'basic: the user name' },
    issuer: { value: 'URL', help: 'oauth_client: who gives tokens, as its metadata say' },
    'token-url': { value: 'URL', help: 'oauth_client: where tokens are given, without metadata' },
    'client-id': { value: 'ID', help: 'oauth_client: what the client is called there' },
    'client-auth': {
      value: 'METHOD',
      help: 'oauth_client: basic (if omitted), post or private_key_jwt',
    },
    scope: { value: 'SCOPE', multiple: true, help: 'oauth_client: what a token is to allow' },
    audience: { value: 'TEXT', help: 'oauth_client: whom a token is meant for' },
    resource: { value: 'URI', help: 'oauth_client: the same, by RFC 8707' },
    login: { value: 'OPERATION', help: 'session: the login, as in "POST /sessions"' },
    'token-at': {
      value: 'PLACE',
      help: 'session: where its answer has the token: /data/token, header:Name, cookie:name',
    },
    field: {
      value: 'NAME=VALUE',
      multiple: true,
      help: 'session: what the login wants; without a value you are asked for it',
    },
    place: {
      value: 'PLACE:NAME',
      help: 'session: where calls carry it; header:Authorization if omitted',
    },
    prefix: { value: 'TEXT', help: 'session: before the token; "Bearer " in Authorization' },
    lifetime: { value: 'SECONDS', help: 'session: how long one lasts' },
    expiry: { value: 'POINTER', help: 'session: where the answer has its end' },
    'recipe-file': { value: 'FILE', help: 'hmac: what is signed and where it goes, in JSON' },
    'certificate-file': { value: 'FILE', help: 'mutual_tls: client certificate and chain, in PEM' },
    'key-file': { value: 'FILE', help: 'mutual_tls: its private key, in PEM without a passphrase' },
    'role-arn': { value: 'ARN', help: 'aws: the role that calls are signed as' },
    region: { value: 'REGION', help: 'aws: where the API is' },
    service: {
      value: 'NAME',
      help: 'aws: execute-api, lambda, appsync, es, aoss or s3',
    },
    'name-user': { help: 'aws: let CloudTrail name who calls' },
    duration: { value: 'SECONDS', help: 'aws: of keys, 900 to 3600 (if omitted)' },
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
    'A server has up to five credentials, as where calls carry two keys: set each with --credential.',
  ],
  run: async ({ api, ask, output }, { slug }, values) => {
    const { username, origin, scheme, yes, 'value-stdin': fromInput } = values;
    const its = values.credential ?? MAIN;
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
        files: {
          recipe: values['recipe-file'],
          certificate: values['certificate-file'],
          key: values['key-file'],
        },
        session: {
          login: values.login,
          token: values['token-at'],
          place: values.place,
          prefix: values.prefix,
          lifetime: values.lifetime,
          expiry: values.expiry,
          field: values.field,
        },
        role: {
          role_arn: values['role-arn'],
          region: values.region,
          service: values.service,
          name_user: values['name-user'],
          duration: values.duration,
        },
        client: {
          issuer: values.issuer,
          token_url: values['token-url'],
          client_id: values['client-id'],
          client_auth: values['client-auth'],
          scopes: values.scope,
          audience: values.audience,
          resource: values.resource,
        },
        place: (only && textOf(only.in)) ?? values.in ?? 'header',
        value: (question) => secretFrom(ask, fromInput, '--value-stdin', question),
      })),
    };
    const { headers } = await api.present('GET /deployments/{slug}', { path });
    const prospect = yes && !ask.isPossible ? undefined : await originsAt();
    await confirmExposures(ask, findingsOf(prospect?.exposures), yes);
    const origins = origin.length > 0 ? origin : await originsFrom(ask, prospect ?? {});
    const json = {
      ...secret,
      ...(origins.length > 0 && { origins }),
      ...(scheme.length > 0 && { schemes: scheme }),
    };
    const named = { path: { slug, name: its }, json, headers };
    const answer = await api.call('PUT /deployments/{slug}/credentials/{name}', named);
    output.result(answer, [
      `The credential ${its === MAIN ? '' : `${its} `}of ${slug} is set; calls use it at the latest 15 s from now.`,
      `It is sent to ${textsOf(answer.origins).join(', ')} and to no other host.`,
      ...trustLines(answer),
    ]);
    output.warnings(findingsOf(answer.warnings));
  },
});

/** What the role's account has to allow. */
const trustLines = ({ trust_policy: policy }: Json): readonly string[] =>
  policy === undefined
    ? []
    : ['The role must trust this service:', ...JSON.stringify(policy, null, 2).split('\n')];

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

/** One that was set before credentials had origins is sent to none. */
const originsText = (credential: Json): unknown => {
  const origins = textsOf(credential.origins);
  return origins.length > 0 ? origins : 'no host, until it is set again';
};

const test = operationCommand({
  name: 'credential test',
  summary: 'Asks for a token with the credential, or has it read, and says how that went',
  at: 'POST /deployments/{slug}/credentials/{name}/test',
  places: ['slug'],
  options: WHICH,
  sends: named,
  lines: ({ works, expires_at: end, scopes, problem }) =>
    works
      ? facts({ Works: 'yes', 'Token ends': localTime(end), Scopes: scopes })
      : facts({ Works: 'no', Why: problem?.message, Error: problem?.error }),
});

const remove = removeCommand({
  name: 'credential rm',
  summary: 'Removes a credential',
  at: 'DELETE /deployments/{slug}/credentials/{name}',
  places: ['slug'],
  options: WHICH,
  sends: named,
  line: ({ slug, name }) => `${slug} has no credential${name === MAIN ? '' : ` ${name}`} any more.`,
});

export const credentialCommands: readonly Command[] = [set, list, show, test, remove];
