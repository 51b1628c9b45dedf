import { isObject, type JsonObject, member } from '../json-schema/json.ts';
import type { ApiTexts } from '../deployments/deployment.ts';
import { plainText } from './plain-text.ts';

/** What clients hand to models is in every conversation: a longer text is cut. */
const MOST_INSTRUCTIONS = 2000;
const MOST_TITLE = 200;
const MOST_DESCRIPTION = 300;

/**
 * What a description says of its API as a whole, in words.
 *
 * @returns undefined if it says nothing
 *
 * Source: OpenAPI 3.1.1, "Info Object"; docs/tools.md, "The API as a whole".
 */
export const apiTexts = ({ root }: { readonly root: JsonObject }): ApiTexts | undefined => {
  const info = member(root, 'info');
  const textIn = (key: string, most: number): string => {
    const text = isObject(info) ? member(info, key) : undefined;
    return typeof text === 'string' ? plainText(text, most) : '';
  };
  const title = textIn('title', MOST_TITLE).replaceAll('\n', ' ');
  const about = textIn('description', MOST_INSTRUCTIONS - title.length - 2);
  const instructions = [title, about].filter((text) => text !== '').join('\n\n');
  if (instructions === '') return undefined;
  const [opening = ''] = about.split('\n\n');
  const description = textIn('summary', MOST_DESCRIPTION) || plainText(opening, MOST_DESCRIPTION);
  return { instructions, ...(description !== '' && { description }) };
};
