import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it has the type that the function names, else an empty one of that type. */
export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
export const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isJson) : [];
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

export const parsed = (text: string): Json => {
  try {
    return jsonOf(parsedJson(text));
  } catch {
    return {};
  }
};
