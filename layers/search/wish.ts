import { type Act, actOf, isControl, isPlainAct } from './acts.ts';
import { MOST_PHRASE_WORDS, phraseMeaning, synonymsOf } from './synonyms.ts';
import { rawWordsOf, stemOf } from './words.ts';

/** Something that a wish speaks of, in all words that may stand for it. */
export interface Concept {
  /** Stems, with what a match of each counts: 1 for what was said. */
  readonly words: ReadonlyMap<string, number>;
  /** What it counts beside the others. */
  readonly weight: number;
  /** Whether it stands before the first preposition: what the wish is about, not where that is. */
  readonly isHead: boolean;
  /** Whether it is only what kind of act is meant. */
  readonly isAct: boolean;
}

/** What somebody asks for, read from a few words of English. */
export interface Wish {
  readonly concepts: readonly Concept[];
  readonly act: Act | undefined;
  readonly wantsMany: boolean;
}

const MAX_QUERY = 500;
const MAX_WORDS = 24;

/** They hold a sentence together and say nothing of an operation. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as be been being can could did do does for had has have how i if into is it its of or our out ' +
    'please s should some such t than that the their them then there these they this those to using via ' +
    'want was we were what when where which will with would you your need needs there’s like let us am t re ve ll ' +
    'called named going everything something anything thing things stuff one once so just also really by from in at about may might must'
  ).split(' '),
);

const PREPOSITIONS: ReadonlySet<string> = new Set(
  'in of on from to for with by at about into that who as for which'.split(' '),
);

const PARTICLES: ReadonlySet<string> = new Set('on off over back up down out away into'.split(' '));
const MOST_BETWEEN = 8;

const SYNONYM = 0.7;

/** Words that mean little beside others, but something. */
const LIGHT: ReadonlyMap<string, number> = new Map(
  Object.entries({
    on: 0.15,
    off: 0.5,
    up: 0.1,
    not: 0.3,
    no: 0.3,
    my: 0.3,
    me: 0.3,
    mine: 0.3,
    all: 0.2,
    every: 0.1,
    now: 0.15,
    right: 0.1,
    today: 0.1,
    tomorrow: 0.1,
    yesterday: 0.2,
    week: 0.15,
    month: 0.15,
    year: 0.15,
    last: 0.3,
    next: 0.5,
    other: 0.1,
    another: 0.1,
    exist: 0.1,
    existing: 0.2,
    already: 0.1,
    make: 0.3,
    use: 0.2,
    who: 0.5,
    somebody: 0.5,
    someone: 0.5,
    everyone: 0.3,
    everybody: 0.3,
    anyone: 0.3,
    kind: 0.2,
    many: 0.2,
    much: 0.2,
    new: 0.3,
    open: 0.4,
  }),
);
const OWN = ['me', 'current', 'authenticated', 'own', 'mine'];
const PLAIN_ACT = 0.4;
/** Few operations speak of such an act, and often in an argument alone. */
const CONTROL = 1.5;

/** Reads at most 500 characters and 24 words. */
export const readWish = (text: string): Wish => {
  const said = splitVerbs(rawWordsOf(text.slice(0, MAX_QUERY)).slice(0, MAX_WORDS));
  const concepts: Concept[] = [];
  let isHead = true;
  let nouns = 0;
  for (let at = 0; at < said.length;) {
    const phrase = phraseAt(said, at);
    if (phrase) {
      const words = new Map(phrase.words.map((word) => [stemOf(word), 1]));
      concepts.push({ words, weight: 1, isHead, isAct: false });
      nouns += 1;
      at += phrase.length;
      continue;
    }
    const word = said[at] ?? '';
    at += 1;
    if (PREPOSITIONS.has(word) && nouns > 0) isHead = false;
    if (word === 'who' ? at > 1 : EMPTY_WORDS.has(word)) continue;
    const read = conceptOf(word, isHead);
    const concept = at === 1 && isControl(word) ? { ...read, weight: CONTROL } : read;
    concepts.push(concept);
    if (!concept.isAct && concept.weight >= 0.5) nouns += 1;
  }
  if (isAboutEvents(said)) {
    const others = concepts.map((one) => ({ ...one, weight: one.weight / 2 }));
    return { concepts: [BEING_TOLD, ...others], act: 'create', wantsMany: false };
  }
  const act = wishedAct(said);
  return { concepts, act, wantsMany: wantsMany(said, act) };
};

/** `tell my server when a file changes`: whoever wants to be told of what happens subscribes to it. */
const isAboutEvents = ([first = '', ...rest]: readonly string[]): boolean =>
  /^(?:tell|call|notify|inform|ping|alert|warn|let|message|mail|email)$/.test(first) &&
  rest.some((word) => /^(?:when|whenever|if)$/.test(word));

const BEING_TOLD: Concept = {
  words: new Map([
    ...['webhook', 'hook', 'subscription', 'notification'].map(
      (word) => [stemOf(word), 1] as const,
    ),
    ...['alert', 'listener', 'callback', 'trigger'].map((word) => [stemOf(word), SYNONYM] as const),
  ]),
  weight: 2,
  isHead: true,
  isAct: false,
};

const phraseAt = (said: readonly string[], at: number) => {
  for (let length = MOST_PHRASE_WORDS; length > 0; length -= 1) {
    if (at + length > said.length) continue;
    const words = phraseMeaning(said.slice(at, at + length));
    if (words) return { words, length };
  }
  return undefined;
};

/** `hand a repository over`: a verb and its particle, with what it is done to between them. */
const splitVerbs = (said: readonly string[]): readonly string[] => {
  const joined = [...said];
  for (let at = 2; at < joined.length; at += 1) {
    const particle = joined[at] ?? '';
    const isLast = at === joined.length - 1;
    if (!PARTICLES.has(particle) && !(isLast && particle === 'in')) continue;
    for (let verb = at - 2; verb >= Math.max(0, at - MOST_BETWEEN); verb -= 1) {
      if (!phraseMeaning([joined[verb] ?? '', particle])) continue;
      joined.splice(verb + 1, 0, ...joined.splice(at, 1));
      break;
    }
  }
  return joined;
};

const conceptOf = (word: string, isHead: boolean): Concept => {
  const stem = stemOf(word);
  const others = word === 'my' || word === 'me' ? OWN : synonymsOf(stem);
  const words = new Map<string, number>([
    ...others.map((other) => [other, SYNONYM] as const),
    [stem, 1],
  ]);
  const isAct = isPlainAct(stem);
  return { words, weight: LIGHT.get(word) ?? (isAct ? PLAIN_ACT : 1), isHead, isAct };
};

/** By the first word that says so: a wish begins with what shall be done. */
const wishedAct = (said: readonly string[]): Act | undefined => {
  const [first = '', second = ''] = said;
  const phrase = phraseAt(said, 0);
  if (phrase && isControl(phrase.words[0] ?? '')) return 'do';
  if (phrase) return actOf(phrase.words[0] ?? '') ?? keptAct(phrase.words[0]) ?? actOf(first);
  const isNew = /^(?:an?|new|another)$/.test(second);
  switch (first) {
    case 'make':
    case 'put':
      return isNew ? 'create' : 'update';
    case 'start':
      // `start a timer`, `start a container`: something new, or what is there already.
      return 'do';
    case 'take':
      return isNew ? 'create' : actOf(first);
    case 'leave':
      return said.some((word) => SAID.has(word)) ? 'create' : 'delete';
    case 'give':
      // `give me the log`
      return second === 'me' || second === 'us' ? undefined : 'update';
    case 'open':
      // Otherwise it says of what kind they are.
      return isNew ? 'create' : undefined;
    case 'stop':
    case 'end':
      // `stop following somebody`
      return second.endsWith('ing') ? 'delete' : 'do';
    default:
      if (isControl(first)) return 'do';
      return actOf(first) ?? keptAct(first) ?? (isVerb(first, second) ? 'do' : lastAct(said));
  }
};

/** What one leaves somewhere; anything else one leaves is left behind. */
const SAID: ReadonlySet<string> = new Set(
  'feedback comment remark note message review reply rating opinion'.split(' '),
);

/** `backup the database`: what is kept of something is made. */
const keptAct = (word: string | undefined): Act | undefined =>
  /^(?:backup|snapshot|checkpoint)$/.test(word ?? '') ? 'create' : undefined;

/** `my job hangs, cancel it`: what shall be done comes last. */
const lastAct = (said: readonly string[]): Act | undefined => {
  if (!/^(?:it|them|that|this)$/.test(said.at(-1) ?? '')) return undefined;
  const verb = said.at(-2) ?? '';
  return isControl(verb) ? 'do' : actOf(verb);
};

/** `star a repository`, `comment on it`. */
const isVerb = (word: string, next: string): boolean =>
  !/[^s]s$/.test(word) && /^(?:an?|the|this|that|these|my|on|for|to|somebody|someone)$/.test(next);

const wantsMany = (said: readonly string[], act: Act | undefined): boolean =>
  (act === undefined || act === 'read') &&
  !said.some((word) => /^(?:detail|details|one|single|info|specific)$/.test(word)) &&
  (/^(?:which|what|list|find|search|who|all|browse|how)$/.test(said[0] ?? '') ||
    said.some((word) => word.length > 3 && /[^su]s$/.test(word)));
