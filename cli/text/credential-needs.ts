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
      `${wants} ${ways.map(wayText).join(', or ')}.${expires}`,
      ...ways.map((way) => `  npx hosted-mcp credential set ${plain(slug)} ${wayOptions(way)}`),
    ];
  });

const wayText = ({ type, name, in: place }: Json): string => {
  if (type === 'basic') return 'a user name and a password';
  if (type === 'api_key') return `a key in the ${PLACES.get(place)} ${plainOf(name)}`;
  return 'a bearer token';
};

const PLACES: ReadonlyMap<unknown, string> = new Map([
  ['header', 'header'],
  ['query', 'query parameter'],
  ['cookie', 'cookie'],
]);

const wayOptions = ({ type, name, in: place }: Json): string => {
  if (type === 'basic') return '--type basic --username NAME';
  if (type !== 'api_key') return '--type bearer';
  return `--type api_key --name ${quoted(plainOf(name))} --in ${plainOf(place)}`;
};

/** The one way that all operations can be called by; undefined where there are several, or none is known. */
export const onlyWay = (answer: Json): Json | undefined => {
  const needs = listOf(answer.needs);
  const ways = needs.flatMap((need) => listOf(need.ways));
  const [way, ...others] = new Map(ways.map((one) => [JSON.stringify(one), one])).values();
  return others.length === 0 && way ? way : undefined;
};
