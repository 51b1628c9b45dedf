import type { CredentialKind } from '../../layers/target/rules/credential.ts';
import {
  askedText,
  commandOptions,
  CREDENTIAL_FORMS,
} from '../../layers/target/rules/credential-forms.ts';
import { type Json, listOf, numberOf, textOf, textsOf } from '../json.ts';
import { plain, quoted, plainOf } from './plain.ts';
import { count } from './words.ts';

export const credentialNeedLines = (slug: string, answer: Json): readonly string[] =>
  listOf(answer.credential_needs ?? answer.needs).flatMap((need) => {
    const operations = numberOf(need.operations) ?? 0;
    const ways = listOf(need.ways);
    const wants = `${count(operations, 'operation')} (${plainOf(need.example)}${operations > 1 ? ', ...' : ''}) ${operations === 1 ? 'wants' : 'want'}`;
    const together = listsOf(need.together);
    if (ways.length + together.length === 0) {
      return [
        `${wants} what no credential here can be: ${plain(textsOf(need.others).join(', '))}.`,
      ];
    }
    const expires = need.expires === true ? ' It works until it ends: nothing renews it.' : '';
    const asked = [...ways.map((way) => [way]), ...together].map(waysText).join(', or ');
    const login = textOf(need.login);
    if (login !== undefined)
      return [`${wants} ${asked}, which a login seems to give.`, ...loginLines(slug, login, ways)];
    return [
      `${wants} ${asked}.${expires}`,
      ...ways.map(
        (way) => `  npx --no-install hosted-mcp credential set ${plain(slug)} ${optionsOf(way)}`,
      ),
      ...together.flatMap((all) =>
        all.map(
          (way, index) =>
            `  npx --no-install hosted-mcp credential set ${plain(slug)}${index === 0 ? '' : ' --credential NAME'} ${optionsOf(way)}`,
        ),
      ),
    ];
  });

/** A key that is set would end as those of the login do. */
const loginLines = (slug: string, login: string, ways: readonly Json[]): readonly string[] => {
  const key = ways.find((way) => kindOf(way) === 'api_key' && !ways.some(isBearer));
  const [place, name] = [plainOf(key?.in), plainOf(key?.name)];
  const isUsual = key === undefined || (place === 'header' && /^authorization$/i.test(name));
  const options = [
    ...commandOptions('session', { login }, (word) => quoted(plain(word))),
    ...(isUsual ? [] : [`--place ${quoted(`${place}:${name}`)}`]),
  ];
  return [
    `  npx --no-install hosted-mcp credential set ${plain(slug)} --type session ${options.join(' ')}`,
    `  --token-at is where its answer has the token, and each --field what it wants${key && isUsual ? `; --prefix '' sends the token without "Bearer "` : ''}.`,
  ];
};

const isBearer = (way: Json): boolean => kindOf(way) === 'bearer';

const waysText = (all: readonly Json[]): string =>
  all.map((way) => plain(askedText({ ...way, type: kindOf(way) }))).join(' together with ');

const listsOf = (value: unknown): readonly (readonly Json[])[] =>
  Array.isArray(value) ? value.map((one: unknown) => listOf(one)) : [];

/** Of the command that sets it. */
const optionsOf = (way: Json): string =>
  [
    `--type ${kindOf(way)}`,
    ...commandOptions(kindOf(way), way, (word) => quoted(plain(word))),
  ].join(' ');

/** A kind that this program does not know yet is shown as a token. */
const kindOf = ({ type }: Json): CredentialKind =>
  CREDENTIAL_KINDS.find((kind) => kind === type) ?? 'bearer';

const CREDENTIAL_KINDS = Object.keys(CREDENTIAL_FORMS) as readonly CredentialKind[];

/** The one way that all operations can be called by; undefined where there are several, or none is known. */
export const onlyWay = (answer: Json): Json | undefined => {
  const needs = listOf(answer.needs);
  const ways = needs.flatMap((need) => listOf(need.ways));
  const [way, ...others] = new Map(ways.map((one) => [JSON.stringify(one), one])).values();
  return others.length === 0 && way ? way : undefined;
};
