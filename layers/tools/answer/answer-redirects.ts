import type { Operation } from '../../openapi/tool-index.ts';
import { member } from '../../platform/rules/json/json.ts';
import { statusLine } from '../../platform/rules/reason-phrase.ts';
import { isRedirect, redirectPlace } from '../../target/rules/redirect.ts';
import type { TargetAnswer } from '../../target/rules/target.ts';

type Mask = (text: string) => string;

/** Characters of a URL that are shown: an API may send long ones, and no token budget counts them. */
const MOST_ADDRESS = 500;

/** @param address - masked: a secret that is cut in two would not be recognized */
export const shownAddress = (address: string): string =>
  address.length <= MOST_ADDRESS ? address : `${address.slice(0, MOST_ADDRESS).toWellFormed()}…`;

/**
 * The note for an answer after a redirect that changed the method to GET; undefined for any other answer.
 * Source: docs/outgoing-calls.md, "Redirects".
 */
export const redirectNote = (
  { redirected }: Pick<TargetAnswer, 'redirected'>,
  mask: Mask,
): string | undefined => {
  if (!redirected?.isGet) return undefined;
  const { status, method, url } = redirected;
  const { pathname, search } = new URL(url);
  const doubt = status === 303 ? '' : ` ${DOUBT}`;
  return `[The API answered ${method} with ${status}; this is the answer of GET ${shownAddress(mask(pathname + search))}.${doubt}]`;
};

const DOUBT =
  'Whether what was sent has been carried out, it does not say: look before you send it again.';

/** The text for a redirect that was neither followed nor described; `answer` has masked headers. */
export const redirectElsewhere = (
  answer: TargetAnswer,
  method: string,
  operation: Pick<Operation, 'answers'>,
): string | undefined => {
  if (!isRedirect(answer) || isDescribed(operation, answer.status)) return undefined;
  const place = redirectPlace(answer);
  const opening = `${statusLine(answer.status)}: the target API sends this ${method} elsewhere`;
  if (place === undefined) {
    const doubt = method === 'GET' || method === 'HEAD' ? '' : ` ${DOUBT}`;
    return `${opening} and does not say where: its answer has no Location header.${doubt}`;
  }
  const isOfWeb = /^https?:$/.test(URL.parse(place, 'https://base.example')?.protocol ?? '');
  return (
    `${opening}, to ${shownAddress(place)}, and it was not sent there: ` +
    (isOfWeb
      ? `redirects are followed within one address of the API alone, and never by a signed request. ` +
        `If the API has moved, the owner of this server has to give its new address (api_base_url).`
      : `that is no address of the web.`)
  );
};

const isDescribed = ({ answers = {} }: Pick<Operation, 'answers'>, status: number): boolean =>
  [String(status), '3XX'].some((name) => member(answers, name) !== undefined);
