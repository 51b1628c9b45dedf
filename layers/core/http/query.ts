import { encodedState, type SentParameters } from '../domain/oauth/index.ts';
import type { HttpEvent } from './event.ts';

/**
 * The parameters of a query, as browsers read them: what is wrongly encoded stands for itself, since
 * one unknown parameter must not spoil the rest.
 */
export const queryParameters = ({ rawQueryString = '' }: HttpEvent): SentParameters => {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    parameters.set(name, [...(parameters.get(name) ?? []), value]);
  }
  return parameters;
};

/** The `state` of a query, still encoded. Source: A2. */
export const queryState = ({ rawQueryString = '' }: HttpEvent): string | undefined =>
  encodedState(rawQueryString);
