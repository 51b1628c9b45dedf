import { shortened } from './schema/texts.ts';

/** Far more than is ever shown of it: what comes after is not looked at. */
const MOST_READ = 10_000;

/** Tags whose content nobody reads. A close tag that never comes takes the rest with it. */
const UNREAD = /<!--[^]*?(?:-->|$)|<(script|style|template|svg)\b[^]*?(?:<\/\1\s*>|$)/gi;
const BLOCK_TAGS = /<\/?(?:br|div|h[1-6]|hr|li|ol|p|pre|table|tr|ul)\b[^<>]*>/gi;
const TAGS = /<[a-z/!?][^<>]*>/gi;
/** What is left of a tag that was put together from parts, or never ends. */
const TAG_STARTS = /<(?=[a-z/!?])/gi;

const FENCES = /^ {0,3}(?:`{3,}|~{3,}).*$/gm;
const LINK_TARGETS = /^ {0,3}\[[^[\]\n]+\]:.*$/gm;
const IMAGES_AND_LINKS = /!?\[([^[\]]*)\](?:\([^()\n]*\)|\[[^[\]\n]*\])/g;
const HEADINGS_AND_QUOTES = /^ {0,3}(?:#{1,6}|>)[ \t]+/gm;
const RULES = /^ {0,3}(?:-{3,}|={3,}|\*{3,}|_{3,}) *$/gm;
const EMPHASIS = /(?<![\w*])\*{1,3}(?=[^\s*])([^*\n]*[^\s*])\*{1,3}(?!\w)|`{1,3}([^`\n]+)`{1,3}/g;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', '#39': "'", nbsp: ' ' };

const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085]/g;
const BLANKS = /[^\S\n]+/g;
/** Nothing that commands a terminal, turns text around, or is read by models alone. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Marks that pile up over the lines around. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

/**
 * What a text in Markdown, with HTML in it or without, says in words: for readers that show it as it is.
 * Whoever wrote it may mean no good: no tag, no address behind a word and no character that is not seen
 * is left. No pattern goes over the same text more than a few times.
 *
 * @param most - characters; what is longer is cut after a sentence or a word
 */
export const plainText = (markdown: string, most: number): string => {
  const read = markdown.slice(0, MOST_READ).toWellFormed().replace(LINE_ENDS, '\n');
  const untagged = read
    .replace(UNREAD, ' ')
    .replace(BLOCK_TAGS, '\n')
    .replace(TAGS, '')
    .replace(TAG_STARTS, ' ');
  const unmarked = untagged
    .replace(FENCES, '')
    .replace(LINK_TARGETS, '')
    .replace(RULES, '')
    .replace(IMAGES_AND_LINKS, '$1')
    .replace(HEADINGS_AND_QUOTES, '')
    .replace(EMPHASIS, (_, words?: string, code?: string) => words ?? code ?? '')
    .replace(/&(amp|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
  return shortened(inLines(unmarked), most);
};

const inLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(BLANKS, ' ').replace(UNSEEN, '').replace(PILED_MARKS, '$1').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
