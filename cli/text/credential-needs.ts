import type { CarriedKind } from '../../layers/target/rules/credential.ts';
import { type Json, listOf, numberOf, textsOf } from '../json.ts';
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
    return [
      `${wants} ${[...ways.map((way) => [way]), ...together].map(waysText).join(', or ')}.${expires}`,
      ...ways.map(
        (way) =>
          `  npx --no-install hosted-mcp credential set ${plain(slug)} ${wayOf(way).options(way)}`,
      ),
      ...together.flatMap((all) =>
        all.map(
          (way, index) =>
            `  npx --no-install hosted-mcp credential set ${plain(slug)}${index === 0 ? '' : ' --credential NAME'} ${wayOf(way).options(way)}`,
        ),
      ),
    ];
  });

const waysText = (all: readonly Json[]): string =>
  all.map((way) => wayOf(way).text(way)).join(' together with ');

const listsOf = (value: unknown): readonly (readonly Json[])[] =>
  Array.isArray(value) ? value.map((one: unknown) => listOf(one)) : [];

interface Way {
  readonly text: (way: Json) => string;
  /** Of the command that sets it. */
  readonly options: (way: Json) => string;
}

const WAYS: Readonly<Record<CarriedKind | 'aws', Way>> = {
  bearer: { text: () => 'a bearer token', options: () => '--type bearer' },
  basic: {
    text: () => 'a user name and a password',
    options: () => '--type basic --username NAME',
  },
  hmac: {
    text: () => 'a signature of each request',
    options: () => '--type hmac --recipe-file FILE',
  },
  mutual_tls: {
    text: () => 'a client certificate',
    options: () => '--type mutual_tls --certificate-file FILE --key-file FILE',
  },
  aws: {
    text: () => 'signatures of an AWS role',
    options: () => '--type aws --role-arn ARN --region REGION --service execute-api',
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
