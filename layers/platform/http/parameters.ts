import { encodedState } from './state.ts';
import type { SentParameters } from '../rules/sent-parameters.ts';
import { OAuthRefusal } from '../rules/refusal/oauth-refusal.ts';
import { bodyText, isJsonType, parseJson } from './body.ts';
import type { HttpEvent } from './event.ts';

/** Characters, as transferred. No request to the authorization server needs a tenth of it. */
const MAX_LENGTH = 64 * 1024;
const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * The parameters of a body, a form or a JSON object.
 *
 * @throws OAuthRefusal invalid_request
 *
 * Source: RFC 6749 §4.1.3. JSON is ours: clients send it.
 */
export const bodyParameters = (event: HttpEvent): SentParameters => {
  const isForm = FORM_TYPE.test(event.headers['content-type'] ?? '');
  if (!isForm && !isJsonType(event)) {
    throw invalid('Send the body as application/x-www-form-urlencoded or application/json.');
  }
  if (isTooLarge(event)) throw invalid('The body is too large.');
  const text = bodyText(event);
  if (text === undefined) throw invalid('The body is not valid UTF-8.');
  return isForm ? formParameters(text) : jsonParameters(parsed(text));
};

/**
 * The parameters of a form.
 *
 * @throws OAuthRefusal invalid_request for a percent sign that encodes nothing, or no UTF-8
 */
export const formParameters = (text: string): SentParameters =>
  grouped(
    text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
        return [decoded(name), decoded(value)];
      }),
  );

/**
 * The parameters of a query, as browsers read them: what is wrongly encoded stands for itself, since
 * one unknown parameter must not spoil the rest.
 */
export const queryParameters = ({ rawQueryString = '' }: HttpEvent): SentParameters =>
  grouped([...new URLSearchParams(rawQueryString)]);

/** The `state` of a query, still encoded. */
export const queryState = ({ rawQueryString = '' }: HttpEvent): string | undefined =>
  encodedState(rawQueryString);

/**
 * A JSON body, whatever it is, for endpoints that refuse what is none in their own words.
 *
 * @returns undefined where there is none that can be read
 */
export const jsonBody = (event: HttpEvent): unknown => {
  if (!isJsonType(event) || isTooLarge(event)) return undefined;
  try {
    return parseJson(bodyText(event) ?? '');
  } catch {
    return undefined;
  }
};

const jsonParameters = (body: unknown): SentParameters => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body must be a JSON object.');
  }
  return new Map(Object.entries(body).map(([name, value]) => [name, [value]]));
};

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
};

const grouped = (pairs: readonly (readonly string[])[]): SentParameters => {
  const parameters = new Map<string, string[]>();
  for (const [name = '', value = ''] of pairs) {
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
};

const isTooLarge = ({ body = '' }: HttpEvent): boolean => body.length > MAX_LENGTH;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('The parameters are not correctly encoded.');
  }
};

const invalid = (description: string) => new OAuthRefusal('invalid_request', description);
