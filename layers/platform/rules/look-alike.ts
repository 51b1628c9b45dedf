import { domainToUnicode } from 'node:url';
import type { Finding } from './refusal/api-refusal.ts';

/**
 * What a label has of nothing but one script, or of Latin and those that Chinese, Japanese and Korean are
 * written in; digits and hyphens belong to all. Others, Cherokee for one, no domain is commonly written in.
 *
 * Source: Unicode Security Mechanisms (UTS 39) §5.2, "Highly Restrictive"; Unicode Identifiers and Syntax (UAX 31), table 5.
 */
const OUTSIDE_OF = [
  /[^\p{scx=Latn}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Latn}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Latn}\p{scx=Hani}\p{scx=Bopo}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Latn}\p{scx=Hani}\p{scx=Hang}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Arab}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Armn}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Beng}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Cyrl}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Deva}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Ethi}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Geor}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Grek}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Gujr}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Guru}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Hebr}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Khmr}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Knda}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Laoo}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Mlym}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Mymr}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Orya}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Sinh}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Taml}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Telu}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Thaa}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Thai}\p{scx=Zyyy}\p{scx=Zinh}]/u,
  /[^\p{scx=Tibt}\p{scx=Zyyy}\p{scx=Zinh}]/u,
] as const;

const isInOneScript = (label: string): boolean =>
  OUTSIDE_OF.some((outside) => !outside.test(label));

/**
 * Letters of one script that stand for Latin ones in most typefaces, and phonetic letters of Latin; a word of
 * nothing else reads as another. Source: UTS 39, `confusables.txt`.
 */
const NOT_LIKE_LATIN = [
  /[^аԁеһіӏјорԛгѕсԝухѵь0-9-]/,
  /[^αγικνορτυωϲϳ0-9-]/,
  /[^ացհոօսզլյ0-9-]/,
] as const;
const PHONETIC = /[ɑɡɢɩɪʋʏʟɴʀʜʙꜰꜱ\u1d00-\u1d2b]/;
/** Tones of Zhuang, clicks, and a letter that is a dot. */
const LIKE_ASCII = /[ƅƨƽ\u01c0-\u01c3\ua78f]/;

/**
 * Signs that are no letters, marks or digits: slashes, dots and colons of Unicode among them, by which one label reads
 * as the rest of an address. Catalan has its dot between two `l`.
 *
 * Source: RFC 5892 §2.6, §2.10 and appendix A.
 */
const SIGN =
  /[^\0-\x7f\p{L}\p{M}\p{Nd}\u05f3\u05f4\u06fd\u06fe\u0f0b\p{Join_Control}\u3007\u30fb]/u;
const hasSign = (label: string): boolean => SIGN.test(label.replaceAll('l\u00b7l', ''));

/** Strokes of Chinese and Japanese between ASCII, where they are a slash, a comma, a dash or a ring. */
const STROKE = /[\da-z][〇一丨丶丿乀乁亅〱-〵゠ソゾッノ・ー]+[\da-z]/;

/** A name of ASCII alone is no look-alike. */
const OTHER_THAN_ASCII = /[^\0-\x7f]/;

const readsAsAnother = (label: string): boolean =>
  OTHER_THAN_ASCII.test(label) &&
  (hasSign(label) ||
    [PHONETIC, LIKE_ASCII, STROKE].some((one) => one.test(label)) ||
    NOT_LIKE_LATIN.some((other) => !other.test(label)));

/**
 * What to do about a host name that somebody could take for another one, a sentence; undefined where nobody
 * could. A name that mixes scripts is refused in its `xn--` form as well: no registry gives it. One that reads as
 * another in a single script, or as part of an address, can be somebody's, and in that form nobody is misled.
 *
 * @param host - as URLs have it: lower case, labels of other scripts as A-labels
 * @param written - as somebody wrote it, the host alone or all around it
 *
 * Source: UTS 39 §4 and §5.2; RFC 5890 §2.3.2.1.
 */
export const lookAlikeFault = (host: string, written: string): string | undefined => {
  if (!host.includes('xn--')) return undefined;
  const labels = domainToUnicode(host).split('.');
  if (!labels.every(isInOneScript)) {
    return 'Write each word of its name in one script: letters of several look like another name.';
  }
  return OTHER_THAN_ASCII.test(written) && labels.some(readsAsAnother)
    ? `Its letters look like those of another name: if they are meant, write ${host}.`
    : undefined;
};

/**
 * The same of the host of a URL, as a finding; none for what is no URL.
 *
 * @param where - pointer to the member that has it
 */
export const lookAlikeFindings = (where: string, url: string): readonly Finding[] => {
  const fault = lookAlikeFault(URL.parse(url)?.hostname ?? '', url);
  if (fault === undefined) return [];
  return [{ where, what: 'a host that reads as another one', hint: fault }];
};
