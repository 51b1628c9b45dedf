import { domainToUnicode } from 'node:url';
import type { Finding } from './refusal/api-refusal.ts';

/**
 * Each pattern matches a label with a character outside one allowed set of scripts: a single script, or Latin with
 * those that Chinese, Japanese or Korean use. Digits and hyphens belong to all. Scripts that domains rarely use are
 * missing.
 * Source: Unicode Security Mechanisms (UTS 39) §5.2, "Highly Restrictive"; Unicode Identifiers and Syntax (UAX 31),
 * "Recommended Scripts".
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
 * Labels of only these letters read as Latin words in most typefaces: look-alikes in Cyrillic, Greek and Armenian, and
 * phonetic letters. Source: UTS 39, `confusables.txt`.
 */
const NOT_LIKE_LATIN = [
  /[^аԁеһіӏјорԛгѕсԝухѵь0-9-]/,
  /[^αγικνορτυωϲϳ0-9-]/,
  /[^ացհոօսզլյ0-9-]/,
] as const;
const PHONETIC = /[ɑɡɢɩɪʋʏʟɴʀʜʙꜰꜱ\u1d00-\u1d2b]/;
/** Tone letters of Zhuang, click letters, and a letter that looks like a dot. */
const LIKE_ASCII = /[ƅƨƽ\u01c0-\u01c3\ua78f]/;

/**
 * Characters other than letters, marks and digits, such as Unicode's slashes, dots and colons, which make a label look
 * like other parts of a URL. Catalan's dot between two `l` is allowed.
 * Source: RFC 5892 §2.6, §2.10 and appendix A.
 */
const SIGN =
  /[^\0-\x7f\p{L}\p{M}\p{Nd}\u05f3\u05f4\u06fd\u06fe\u0f0b\p{Join_Control}\u3007\u30fb]/u;
const hasSign = (label: string): boolean => SIGN.test(label.replaceAll('l\u00b7l', ''));

/** Chinese and Japanese strokes between ASCII characters, where they look like a slash, comma, dash or ring. */
const STROKE = /[\da-z][〇一丨丶丿乀乁亅〱-〵゠ソゾッノ・ー]+[\da-z]/;

/** Labels of ASCII only are not examined. */
const OTHER_THAN_ASCII = /[^\0-\x7f]/;

const readsAsAnother = (label: string): boolean =>
  OTHER_THAN_ASCII.test(label) &&
  (hasSign(label) ||
    [PHONETIC, LIKE_ASCII, STROKE].some((one) => one.test(label)) ||
    NOT_LIKE_LATIN.some((other) => !other.test(label)));

/**
 * Advice about a host name that people could mistake for another; undefined if there is no such risk. Names that mix
 * scripts are refused even as `xn--`, since registries do not grant them. Look-alikes in a single script, or of parts
 * of a URL, may be registered, and are accepted in `xn--` form, which misleads nobody.
 * @param host - as in URLs: lower case, labels of other scripts as A-labels
 * @param written - as the user wrote it, alone or within a longer text
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

/** Advice about the host of a URL; none for other texts. @param where - JSON pointer to the member */
export const lookAlikeFindings = (where: string, url: string): readonly Finding[] => {
  const fault = lookAlikeFault(URL.parse(url)?.hostname ?? '', url);
  if (fault === undefined) return [];
  return [{ where, what: 'a host that reads as another one', hint: fault }];
};
