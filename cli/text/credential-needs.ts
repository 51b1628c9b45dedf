import type { CredentialKind } from '../../layers/target/rules/credential.ts';
import { type Json, listOf, numberOf, textsOf } from '../json.ts';
import { plain, quoted, plainOf } from './plain.ts';
import { count } from './words.ts';

export const credentialNeedLines = (slug: string, answer: Json): readonly string[] =>
  listOf(answer.credential_needs ?? answer.needs).flatMap((need) => {
    const operations = numberOf(need.operations) ?? 0;
    const ways = listOf(need.ways);
    const wants = `${count(operations, 'operation')} (${plainOf(need.example)}${operations > 1 ? ', ...' : ''}) ${operations === 1 ? 'wants' : 'want'}`;
    if (ways.length === 0) {
      return [
        `${wants} what no credential here can be: ${plain(textsOf(need.others).join(', '))}.`,
      ];
    }
    const expires = need.expires === true ? ' It works until it ends: nothing renews it.' : '';
    return [
      `${wants} ${ways.map((way) => wayOf(way).text(way)).join(', or ')}.${expires}`,
      ...ways.map(
        (way) => `  npx hosted-mcp credential set ${plain(slug)} ${wayOf(way).options(way)}`,
      ),
    ];
  });

interface Way {
  readonly text: (way: Json) => string;
  /** Of the command that sets it. */
  readonly options: (way: Json) => string;
}

const WAYS: Readonly<Record<CredentialKind, Way>> = {
  bearer: { text: () => 'a bearer token', options: () => '--type bearer' },
  basic: {
    text: () => 'a user name and a password',
    options: () => '--type basic --username NAME',
  },
  api_key: {
    text: ({ name, in: place }) => `a key in the ${PLACES.get(place)} ${plainOf(name)}`,
    options: ({ name, in: place }) =>
      `--type api_key --name ${quoted(plainOf(name))} --in ${plainOf(place)}`,
  },
};

/** A kind that this program does not know yet is shown as a token. */
const wayOf = ({ type }: Json): Way =>
  Object.entries(WAYS).find(([kind]) => kind === type)?.[1] ?? WAYS.bearer;

const PLACES: ReadonlyMap<unknown, string> = new Map([
  ['header', 'header'],
  ['query', 'query parameter'],
  ['cookie', 'cookie'],
]);

/** The one way that all operations can be called by; undefined where there are several, or none is known. */
export const onlyWay = (answer: Json): Json | undefined => {
  const needs = listOf(answer.needs);
  const ways = needs.flatMap((need) => listOf(need.ways));
  const [way, ...others] = new Map(ways.map((one) => [JSON.stringify(one), one])).values();
  return others.length === 0 && way ? way : undefined;
};
