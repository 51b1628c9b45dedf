import * as z from 'zod/mini';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Name of a private network that a deployment may choose: `orders`. */
export const NETWORK_NAME = /^[a-z][a-z0-9-]{0,31}$/;

const Functions = z.record(
  z.string().check(z.regex(NETWORK_NAME)),
  z.string().check(z.minLength(1)),
);

/** Function names by network, from an environment variable; none if empty. @throws Error */
export const readNetworkFunctions = (text = ''): Readonly<Record<string, string>> =>
  text === '' ? {} : z.parse(Functions, parsedJson(text));
