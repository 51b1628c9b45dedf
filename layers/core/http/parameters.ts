import type { SentParameters } from '../domain/oauth/index.ts';
import { OAuthRefusal } from '../domain/refusal.ts';
import { bodyText } from './body.ts';
import type { HttpEvent } from './event.ts';

/** As transferred. No request to the authorization server needs a tenth of it. */
const MAX_LENGTH = 64 * 1024;
const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

/**
 * The parameters of a body, a form or a JSON object.
 *
 * @throws OAuthRefusal invalid_request
 *
 * Source: RFC 6749 §4.1.3; K1.
 */
export const bodyParameters = (event: HttpEvent): SentParameters => {
  const type = event.headers['content-type'] ?? '';
  if (FORM_TYPE.test(type)) return formParameters(textOf(event));
  if (JSON_TYPE.test(type)) return jsonParameters(parsed(textOf(event)));
  throw invalid('Send the body as application/x-www-form-urlencoded or application/json.');
};

/**
 * The parameters of a form or a query.
 *
 * @throws OAuthRefusal invalid_request for a percent sign that encodes nothing, or no UTF-8
 */
export const formParameters = (text: string): SentParameters => {
  const parameters = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const key = decoded(name);
    const values = parameters.get(key);
    if (values) values.push(decoded(value));
    else parameters.set(key, [decoded(value)]);
  }
  return parameters;
};

/**
 * A JSON body, whatever it is.
 *
 * @returns undefined where there is none
 */
export const jsonBody = (event: HttpEvent): unknown => {
  if (!JSON_TYPE.test(event.headers['content-type'] ?? '') || isTooLarge(event)) return undefined;
  try {
    return JSON.parse(bodyText(event) ?? '');
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

const textOf = (event: HttpEvent): string => {
  if (isTooLarge(event)) throw invalid('The body is too large.');
  const text = bodyText(event);
  if (text === undefined) throw invalid('The body is not valid UTF-8.');
  return text;
};

const isTooLarge = ({ body = '' }: HttpEvent): boolean => body.length > MAX_LENGTH;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('The parameters are not correctly encoded.');
  }
};

const invalid = (description: string) => new OAuthRefusal('invalid_request', description);
