import * as z from 'zod/mini';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** `orders`: what a deployment says of the private network that it calls its API in. */
export const NETWORK_NAME = /^[a-z][a-z0-9-]{0,31}$/;

const Functions = z.record(
  z.string().check(z.regex(NETWORK_NAME)),
  z.string().check(z.minLength(1)),
);

/** The function of each network by its name, from an environment; none if nothing is said. @throws Error */
export const readNetworkFunctions = (text = ''): Readonly<Record<string, string>> =>
  text === '' ? {} : z.parse(Functions, parsedJson(text));
