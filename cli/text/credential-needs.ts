import type { CredentialKind } from '../../layers/target/rules/credential.ts';
import {
  askedText,
  commandOptions,
  CREDENTIAL_FORMS,
  fieldTexts,
  optionOf,
} from '../../layers/target/rules/credential-forms.ts';
import { member } from '../../layers/platform/rules/json/json.ts';
import { type Json, listOf, numberOf, textsOf } from '../json.ts';
import { plain, quoted, plainOf } from './plain.ts';
import { count } from './words.ts';

export const credentialNeedLines = (slug: string, answer: Json): readonly string[] => {
  const proposed = new Set<string>();
  return listOf(answer.credential_needs ?? answer.needs).flatMap((need) => {
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
    const proposals = listOf(need.proposals);
    const texts = proposals.map((one) => JSON.stringify(one));
    // A second credential needs a name, or it would replace the first.
    const name =
      proposed.size > 0 && texts.length > 0 && !texts.some((one) => proposed.has(one))
        ? BESIDE
        : '';
    for (const one of texts) proposed.add(one);
    const [best = {}] = proposals;
    const login = kindOf(best) === 'session' ? ', which a login seems to give' : '';
    const isRenewed = kindOf(best) === 'oauth_client';
    return [
      `${wants} ${asked}${login}.${isRenewed ? ' Set as an OAuth client, it is renewed.' : login === '' ? expires : ''}`,
      ...(login === '' ? proposals : proposals.slice(0, 1)).flatMap((one) =>
        commandLines(`${plain(slug)}${name}`, one, need),
      ),
      ...together.flatMap((all) =>
        all.map((way, index) => setLine(`${plain(slug)}${index === 0 ? '' : BESIDE}`, way)),
      ),
    ];
  });
};

/** Option of the second and further credentials. */
const BESIDE = ' --credential NAME';

const setLine = (place: string, way: Json, loginFields: readonly string[] = []): string =>
  `  npx --no-install hosted-mcp credential set ${place} ${optionsOf(way, loginFields)}`;

/** A login is proposed alone: a key set instead would expire as its tokens do. */
const commandLines = (place: string, proposal: Json, need: Json): readonly string[] => {
  const line = setLine(place, proposal, textsOf(need.login_fields));
  if (kindOf(proposal) !== 'session') return [line];
  const isKey = listOf(need.ways).every((way) => kindOf(way) === 'api_key');
  const isBare = isKey && proposal.name === undefined;
  return [
    line,
    `  --token-at is where its answer has the token, and each --field what it wants${isBare ? `; --prefix '' sends the token without "Bearer "` : ''}.`,
  ];
};

const waysText = (all: readonly Json[]): string =>
  all.map((way) => plain(askedText({ ...way, type: kindOf(way) }))).join(' together with ');

const listsOf = (value: unknown): readonly (readonly Json[])[] =>
  Array.isArray(value) ? value.map((one: unknown) => listOf(one)) : [];

const optionsOf = (way: Json, loginFields: readonly string[]): string => {
  const kind = kindOf(way);
  const word = (its: string): string => quoted(plain(its));
  const fields = loginFields.length > 0 ? loginFields : undefined;
  return [`--type ${kind}`, ...commandOptions(kind, fieldTexts(kind, way), word, fields)].join(' ');
};

/** A kind that is newer than this program is shown as a token. */
const kindOf = ({ type }: Json): CredentialKind =>
  CREDENTIAL_KINDS.find((kind) => kind === type) ?? 'bearer';

const CREDENTIAL_KINDS = Object.keys(CREDENTIAL_FORMS) as readonly CredentialKind[];

/** The best proposal; undefined where operations differ. A login is never it, since it needs more than one secret. */
export const bestProposal = (answer: Json): Json | undefined => {
  const needs = listOf(answer.needs);
  const ways = needs.flatMap((need) => listOf(need.ways));
  if (new Set(ways.map((way) => JSON.stringify(way))).size !== 1) return undefined;
  return needs
    .flatMap((need) => listOf(need.proposals))
    .find((proposal) => kindOf(proposal) !== 'session');
};

/** A proposal as options of `credential set`; none if there are several different keys. */
export const proposedOptions = (answer: Json, kind: CredentialKind): Json => {
  const ofKind = listOf(answer.needs)
    .flatMap((need) => listOf(need.proposals))
    .filter((one) => one.type === kind);
  const isOne = new Set(ofKind.map((one) => JSON.stringify(one))).size === 1;
  const proposal = kind === 'api_key' && !isOne ? undefined : ofKind[0];
  return Object.fromEntries(
    Object.entries(CREDENTIAL_FORMS[kind].fields).flatMap(([name, field]) => {
      const its = proposal && member(proposal, name);
      return its === undefined ? [] : [[optionOf(name, field), its]];
    }),
  );
};
