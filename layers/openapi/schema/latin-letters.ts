/** Letters beside what each is written as; letters that are silent or carry no sound of their own as ''. */
const alphabet = (
  letters: readonly string[],
  latin: readonly string[],
): readonly (readonly [string, string])[] =>
  letters.map((letter, index) => [letter, latin[index] ?? ''] as const);

/** What has no letter of the alphabet within it once its marks are taken off. Source: Unicode CLDR, "Latin-ASCII". */
const LATIN = alphabet(
  'ß æ œ ø ł đ ð þ ħ ı ŋ ə'.split(' '),
  'ss ae oe o l d d th h i n e'.split(' '),
);

/** Source: ISO 9 and BGN/PCGN, without marks. */
const CYRILLIC = alphabet(
  'а б в г ґ д ђ е є ж з и й і ї ј к л љ м н њ о п р с т ћ у ў ф х ц ч џ ш щ ъ ы ь э ю я'.split(
    ' ',
  ),
  'a b v g g d d e ye zh z i y i yi j k l lj m n nj o p r s t c u u f kh ts ch dz sh shch  y  e yu ya'.split(
    ' ',
  ),
);

/** Source: ISO 843. */
const GREEK = alphabet(
  'α β γ δ ε ζ η θ ι κ λ μ ν ξ ο π ρ σ ς τ υ φ χ ψ ω'.split(' '),
  'a v g d e z i th i k l m n x o p r s s t y f ch ps o'.split(' '),
);

/** Consonants and long vowels, as they are written. Source: BGN/PCGN, without marks. */
const ARABIC = alphabet(
  'ا أ إ آ ٱ ب پ ت ة ث ج چ ح خ د ذ ر ز ژ س ش ص ض ط ظ ع غ ف ق ك ک گ ل م ن ه و ؤ ي ی ى ئ ء'.split(
    ' ',
  ),
  'a a i a a b p t a th j ch h kh d dh r z zh s sh s d t z  gh f q k k g l m n h w w y y a y '.split(
    ' ',
  ),
);

/** Source: BGN/PCGN. */
const HEBREW = alphabet(
  'א ב ג ד ה ו ז ח ט י כ ך ל מ ם נ ן ס ע פ ף צ ץ ק ר ש ת'.split(' '),
  'a b g d h v z h t y k k l m m n n s a p f ts ts k r sh t'.split(' '),
);

/** Source: national system of romanization of Georgia (2002). */
const GEORGIAN = alphabet(
  'ა ბ გ დ ე ვ ზ თ ი კ ლ მ ნ ო პ ჟ რ ს ტ უ ფ ქ ღ ყ შ ჩ ც ძ წ ჭ ხ ჯ ჰ'.split(' '),
  'a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h'.split(' '),
);

/** Source: BGN/PCGN. */
const ARMENIAN = alphabet(
  'ա բ գ դ ե զ է ը թ ժ ի լ խ ծ կ հ ձ ղ ճ մ յ ն շ ո չ պ ջ ռ ս վ տ ր ց ւ փ ք օ ֆ և'.split(' '),
  'a b g d e z e y t zh i l kh ts k h dz gh ch m y n sh o ch p j r s v t r ts v p k o f ev'.split(
    ' ',
  ),
);

/** Hiragana in its order from U+3041 on; katakana has the same. Source: Hepburn. */
const KANA =
  'a a i i u u e e o o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi ji tsu tsu zu te de to do na ni nu ne no ha ba pa hi bi pi fu bu pu he be pe ho bo po ma mi mu me mo ya ya yu yu yo yo ra ri ru re ro wa wa i e o n vu ka ke'.split(
    ' ',
  );

const [FIRST_HIRAGANA, FIRST_KATAKANA] = [0x3041, 0x30a1];

/** Initials, vowels and finals of syllables, in the order of Unicode. Source: Unicode §3.12; Revised Romanization of Korean. */
const HANGUL = [
  'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' '),
  'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' '),
  ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' '),
] as const;

const [FIRST_SYLLABLE, LAST_SYLLABLE] = [0xac00, 0xd7a3];

const LETTERS: ReadonlyMap<string, string> = new Map([
  ...LATIN,
  ...CYRILLIC,
  ...GREEK,
  ...ARABIC,
  ...HEBREW,
  ...GEORGIAN,
  ...ARMENIAN,
]);

/** Longer texts are no names. */
const MAX_LENGTH = 1_000;

/**
 * A name in Latin letters without marks, letter by letter: `получитьЗаказ` is `poluchitZakaz`. What only a dictionary
 * could write so stays, as Chinese does.
 */
export const latinLetters = (text: string): string => {
  if (!/[^\0-\x7F]/.test(text) || text.length > MAX_LENGTH) return text;
  return [...text.normalize('NFKC')]
    .map(latinLetter)
    .join('')
    .replaceAll(/\u3063([b-df-hj-np-tv-z])/g, '$1$1')
    .replaceAll(/(sh|ch|j)i[\u3083\u3085\u3087]y([auo])/g, '$1$2')
    .replaceAll(/i[\u3083\u3085\u3087](y[auo])/g, '$1')
    .replaceAll(/[\u3063\u3083\u3085\u3087]/g, '');
};

const latinLetter = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x80) return letter;
  if (code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE) return syllable(code - FIRST_SYLLABLE);
  if (SMALL_KANA.has(code)) return smallKana(code);
  const kana = kanaAt(code);
  if (kana !== undefined) return kana;
  const bare = letter.normalize('NFD').replaceAll(/\p{M}/gu, '');
  for (const one of [letter, bare]) {
    const lower = one.toLowerCase();
    const latin = LETTERS.get(lower);
    if (latin !== undefined) {
      return one === lower ? latin : latin.slice(0, 1).toUpperCase() + latin.slice(1);
    }
  }
  return bare;
};

const syllable = (index: number): string => {
  const [initials, vowels, finals] = HANGUL;
  const perInitial = vowels.length * finals.length;
  return [
    initials[Math.floor(index / perInitial)],
    vowels[Math.floor((index % perInitial) / finals.length)],
    finals[index % finals.length],
  ].join('');
};

/** The sign that doubles the next consonant, and those that turn the syllable before them into one with `y`. */
const SMALL_KANA: ReadonlySet<number> = new Set([
  0x3063, 0x3083, 0x3085, 0x3087, 0x30c3, 0x30e3, 0x30e5, 0x30e7,
]);

const KATAKANA_SHIFT = FIRST_KATAKANA - FIRST_HIRAGANA;

const smallKana = (code: number): string => {
  const hiragana = code >= FIRST_KATAKANA ? code - KATAKANA_SHIFT : code;
  const sign = String.fromCodePoint(hiragana);
  return hiragana === 0x3063 ? sign : sign + (KANA[hiragana - FIRST_HIRAGANA] ?? '');
};

const LONG_VOWEL = 0x30fc;

const kanaAt = (code: number): string | undefined => {
  if (code === LONG_VOWEL) return '';
  const first = code >= FIRST_KATAKANA ? FIRST_KATAKANA : FIRST_HIRAGANA;
  return KANA[code - first];
};
