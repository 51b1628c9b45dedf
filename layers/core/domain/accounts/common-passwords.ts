import { runLength } from './keyboard-runs.ts';

/** What the commonest passwords are made of. */
const WORDS: readonly string[] =
  `abc abcd access account admin administrator adobe alexander always amanda america andrea andrew angel angels anthony
apple april arsenal asdf asdfgh ashley august austin autumn azerty baby babygirl bailey banana barcelona baseball
basketball batman beautiful because believe beer bitch blessed blink bond boss boy brandon butterfly california cameron
change changeit changeme charlie cheese chelsea chicken chocolate christ christian christine christopher city classic
coffee company computer cookie correcthorsebatterystaple corvette cowboys daniel david december default demo dragon
eagle elephant elizabeth eminem england ever everton everything faith family february fish fishing flower football
forever forget france freedom friday friend friends fuck fuckyou gemini george ginger girl girls global gmail god google
green guest hacker hannah happiness happy harley harry hate heaven hello help her him holiday home hotmail hunter
iloveyou international internet january jasmine jennifer jessica jesus jonathan jordan joshua july june justin killer
king kitty ladybug lastname letme letmein life liverpool login lol london love lovely lover loves machine maggie magic
manager manchester march marina marlboro martin master matrix matthew melissa metallica michael michelle microsoft
minecraft mine monday money monkey monster morgan mother music mustang myspace naruto never nicholas nicole nopassword
nothing november october oliver only open opensesame orange pass passcode passw passwd passwort password patrick peanut
pepper phoenix please pokemon police power princess private purple qazwsx qwe qwer qwert qwerty rabbit rainbow ranger
red robert rockyou root saturday samantha samsung school scooby secret secure security september server service sesame
shadow silver simple slipknot snoopy soccer something spiderman sponge spongebob spring star starwars steven strong
success summer sunday sunshine super superman superstar sweet sweetheart system taylor temp temporary tennis test tester
testing that the this thomas thunder thursday tigger today trust trustno tuesday twilight ubuntu unbelievable united
universe unknown user username vanessa victoria volleyball warcraft web webmaster wednesday welcome whatever william
windows winter with wizard word work world xxx yankees yellow you your zaq and are for new not old one was
me my is it am in no of on to us be bob`.split(/\s+/);

/** With fewer words than this, it is no passphrase. */
const FEW_WORDS = 3;
/** Figures and signs that stand beside a word without making it safer: a year, `#1`, `2!`. */
const FEW_FIGURES = 6;
const SHORTEST_RUN = 3;

/**
 * Whether a password of sufficient length is among the first that anyone would try: one part again
 * and again, runs along the keyboard or the alphabet, and a few of the commonest words with figures
 * around them, in any spelling that swaps letters for the figures that look like them.
 *
 * @param known - what everyone knows of the person: parts of the e-mail address
 *
 * Source: D28; NIST SP 800-63B §3.1.1.2.
 */
export const isCommonPassword = (password: string, known: readonly string[]): boolean => {
  const text = password.toLowerCase();
  const words = [...WORDS, ...known.map((one) => one.toLowerCase())];
  return repeatsItself(text) || isMadeOf(words, text, FEW_WORDS, FEW_FIGURES);
};

const repeatsItself = (text: string): boolean => {
  const period = `${text}${text}`.indexOf(text, 1);
  return period <= text.length / 2;
};

const FIGURE = /^[^\p{L}]/u;

/** Whether nothing else is in it than runs, that many words and that many figures. */
const isMadeOf = (
  words: readonly string[],
  text: string,
  wordsLeft: number,
  figuresLeft: number,
): boolean => {
  if (text === '') return true;
  const run = runLength(text);
  if (run >= SHORTEST_RUN && isMadeOf(words, text.slice(run), wordsLeft, figuresLeft)) return true;
  if (figuresLeft > 0 && FIGURE.test(text)) {
    if (isMadeOf(words, text.slice(1), wordsLeft, figuresLeft - 1)) return true;
  }
  if (wordsLeft === 0) return false;
  return words.some(
    (word) =>
      startsAlike(text, word) &&
      isMadeOf(words, text.slice(word.length), wordsLeft - 1, figuresLeft),
  );
};

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'il',
  '!': 'il',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
};

const startsAlike = (text: string, word: string): boolean =>
  word !== '' &&
  word.length <= text.length &&
  [...word].every((letter, at) => {
    const sign = text[at] ?? '';
    return sign === letter || LOOKS_LIKE[sign]?.includes(letter) === true;
  });
