import { isUnwanted } from './unwanted.ts';
import { type Act, actOf, isControl, isPlainAct } from './acts.ts';
import { askedAct } from './asked-acts.ts';
import { everydayMeanings } from './everyday-words.ts';
import { presentOf } from './irregular-words.ts';
import { MOST_PHRASE_WORDS, phraseMeaning, synonymsOf } from './synonyms.ts';
import { rawWordsOf, stemOf } from './words.ts';

/** A thing or act that a wish names, with all words that may stand for it. */
export interface Concept {
  /** Stems, each with the weight of a match: 1 for the word that was said. */
  readonly words: ReadonlyMap<string, number>;
  /** Stems that APIs may use for an everyday word; they count less than `words`. */
  readonly everyday?: readonly string[];
  readonly weight: number;
  /** Whether the concept comes before the first preposition: what the wish is about, not where or for whom. */
  readonly isHead: boolean;
  /** Whether the concept names nothing but the kind of act. */
  readonly isAct: boolean;
}

export interface Wish {
  readonly concepts: readonly Concept[];
  readonly act: Act | undefined;
  readonly wantsMany: boolean;
}

const MAX_QUERY = 500;
const MAX_WORDS = 24;

/** Words that hold a sentence together and say nothing about an operation. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as be been being can could did do does for had has have how i if into is it its of or our out ' +
    'please s should some such t than that the their them then there these they this those to using via ' +
    'want was we were what which will with would you your need needs there’s like us am t re ve ll ' +
    'called named going everything something anything thing things stuff one once so just also really by from in at about may might must'
  ).split(' '),
);

const PREPOSITIONS: ReadonlySet<string> = new Set(
  'in of on from to for with by at about into that who as for which'.split(' '),
);

const PARTICLES: ReadonlySet<string> = new Set(
  'on off over back up down out away into again together'.split(' '),
);
const MOST_BETWEEN = 8;

const SYNONYM = 0.7;
/** Weight of the words that a phrase may mean, except for the first, the most likely. */
const PHRASE_AFTER_FIRST = 0.6;
/** Weight of the present form of a word that was said in an irregular one: `pay` for `paid`. */
const IRREGULAR = 0.9;

/** Weights of words that say little about an operation, but something. */
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
    where: 0.6,
    when: 0.4,
    why: 0.8,
    let: 0.6,
    again: 0.5,
    new: 0.3,
    somebody: 0.5,
    someone: 0.5,
    everyone: 0.3,
    everybody: 0.3,
    anyone: 0.3,
    kind: 0.2,
    many: 0.2,
    much: 0.2,
    open: 0.4,
  }),
);
const OWN = ['me', 'current', 'authenticated', 'own', 'mine'];
const PLAIN_ACT = 0.4;
/** Factor for concepts after a preposition, which name the place or the person. */
const TAIL = 0.85;
/** Weight of a verb such as "restart": few operations mention it, often in an argument alone. */
const CONTROL = 1.5;

const OWNED: Concept = {
  words: new Map(OWN.map((word) => [stemOf(word), 1] as const)),
  weight: 0.3,
  isHead: false,
  isAct: true,
};

export const readWish = (text: string): Wish => {
  const clauses = clausesOf(text.slice(0, MAX_QUERY));
  const said = clauses.flat().slice(0, MAX_WORDS);
  const concepts: Concept[] = [];
  let isHead = true;
  let nouns = 0;
  for (let at = 0; at < said.length;) {
    const phrase = phraseAt(said, at);
    if (phrase) {
      const words = meaningOf(phrase.words);
      concepts.push({ words, weight: 1, isHead, isAct: false });
      nouns += 1;
      at += phrase.length;
      continue;
    }
    const word = said[at] ?? '';
    at += 1;
    if (PREPOSITIONS.has(word) && nouns > 0) isHead = false;
    if (word === 'who' ? at > 1 : EMPTY_WORDS.has(word)) continue;
    if (ASKING.has(word) && at > 1) continue;
    const read = withJoined(conceptOf(word, isHead), word, said[at]);
    const concept = at === 1 && isControl(word) ? { ...read, weight: CONTROL } : read;
    concepts.push(concept);
    if (!concept.isAct && concept.weight >= 0.5) nouns += 1;
  }
  if (isAboutEvents(said)) {
    const others = concepts.map((one) => ({ ...one, weight: one.weight / 2 }));
    return { concepts: [BEING_TOLD, ...others], act: 'create', wantsMany: false };
  }
  if (concepts.length > 0 && isOwn(said)) concepts.push(OWNED);
  const act = clausesAct(clauses);
  if (isByName(said) && (act === 'read' || act === undefined)) concepts.push(SEARCHED);
  const isToSee = clauses.slice(1).some((clause) => wishedAct(clause) === 'read');
  if (!isToSee && isUnwanted(said))
    return { concepts: [...concepts, UNWANTED], act: 'delete', wantsMany: false };
  return { concepts, act, wantsMany: wantsMany(said, act) };
};

/** `which boards do I have`, `what have we uploaded`: asks for the user's own things. */
const isOwn = (said: readonly string[]): boolean =>
  /(?:^| )(?:do|did|have|are|am|can|may) (?:i|we)(?: |$)/.test(said.join(' '));

/** Whether a thing is asked for by its name: `find a series called Dark`. */
const isByName = (said: readonly string[]): boolean =>
  said.slice(2).some((word) => word === 'called' || word === 'named');

const SEARCHED: Concept = {
  words: new Map([
    ...['find', 'lookup', 'query'].map((word) => [stemOf(word), SYNONYM] as const),
    [stemOf('search'), 1],
  ]),
  weight: 1,
  isHead: true,
  isAct: true,
};

/** Words that ask for something at the beginning of a wish, and later only hold the sentence together. */
const ASKING: ReadonlySet<string> = new Set(['where', 'when', 'why', 'let']);

/** Words of each clause, between commas and stops, without phrases that only introduce it. */
const clausesOf = (text: string): readonly (readonly string[])[] =>
  text
    .split(/[,;:.!?](?=\s|$)/)
    .map((clause) => splitVerbs(withoutLeadIn(rawWordsOf(clause).slice(0, MAX_WORDS))))
    .filter(({ length }) => length > 0);

/** Phrases before a wish; of two that begin alike, the longer comes first. */
const LEAD_INS: readonly string[] = (
  'please|kindly|hi|hey|hello|ok|okay|and|then|now|so|just|can you|could you|would you|will you|is there a way to|' +
  'i want to|i need to|i have to|i wish to|i would like to|i d like to|we want to|we need to|we have to|' +
  'we would like to|we d like to|i want|i need|i would like|i d like|we want|we need|we would like|' +
  'i m trying to|i am trying to|try to|help me to|help me|allow me to|let me|let us|let s|lets|how do i|' +
  'how can i|how could i|how should i|how do we|how can we|how do you|how does one|how to'
)
  .split('|')
  .map((words) => `${words} `);

/** Drops `I would like to`, `can you please`, `how do I`: the wish comes after them. */
const withoutLeadIn = (words: readonly string[]): readonly string[] => {
  let rest = `${words.join(' ')} `;
  for (;;) {
    const leadIn = LEAD_INS.find((one) => rest.startsWith(one));
    if (leadIn === undefined || leadIn.length === rest.length) break;
    rest = rest.slice(leadIn.length);
  }
  return rest.split(' ').filter(Boolean);
};

/** The act may stand in any clause: `that one is wrong, delete it`. */
const clausesAct = (clauses: readonly (readonly string[])[]): Act | undefined => {
  for (const clause of clauses) {
    const act = wishedAct(clause);
    if (act !== undefined) return act;
  }
  return undefined;
};

const UNWANTED: Concept = {
  words: new Map(
    ['remove', 'unfollow', 'unsubscribe', 'revoke', 'mute', 'block', 'disable', 'delete'].map(
      (word) => [stemOf(word), SYNONYM] as const,
    ),
  ),
  weight: 0.8,
  isHead: true,
  isAct: true,
};

/** `web hook` also finds `webhook`. */
const withJoined = (concept: Concept, word: string, next: string | undefined): Concept => {
  if (next === undefined || EMPTY_WORDS.has(next)) return concept;
  const joined = stemOf(`${word}${next}`);
  // Below 1, so that no similar spellings of it are searched.
  return { ...concept, words: new Map([...concept.words, [joined, 0.95]]) };
};

/** `tell my server when a file changes`: asks for a webhook or subscription. */
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

/** Stems of the words that a phrase means, with their weights. */
const meaningOf = ([first = '', ...others]: readonly string[]): ReadonlyMap<string, number> =>
  new Map([
    ...others.map((word) => [stemOf(word), PHRASE_AFTER_FIRST] as const),
    [stemOf(first), 1],
  ]);

const phraseAt = (said: readonly string[], at: number) => {
  for (let length = MOST_PHRASE_WORDS; length > 0; length -= 1) {
    if (at + length > said.length) continue;
    const words = phraseMeaning(said.slice(at, at + length));
    if (words) return { words, length };
  }
  return undefined;
};

/** Moves a particle to its verb: `hand a repository over` becomes `hand over a repository`. */
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
  const present = presentOf(word);
  const others = word === 'my' || word === 'me' ? OWN : synonymsOf(stem);
  const words = new Map<string, number>([
    ...(present === undefined
      ? []
      : [...synonymsOf(present).map(synonym), [present, IRREGULAR] as const]),
    ...others.map(synonym),
    [stem, 1],
  ]);
  const everyday = [stem, ...(present === undefined ? [] : [present])].flatMap(everydayMeanings);
  const isAct = isPlainAct(stem);
  const weight = (LIGHT.get(word) ?? (isAct ? PLAIN_ACT : 1)) * (isHead ? 1 : TAIL);
  return { words, everyday: [...new Set(everyday)], weight, isHead, isAct };
};

const synonym = (stem: string) => [stem, SYNONYM] as const;

/** Taken from the first word that names an act: a wish begins with what shall be done. */
const wishedAct = (said: readonly string[]): Act | undefined => {
  const [first = '', second = '', third = ''] = said;
  // `do not show this again`
  if (/^(?:do not|don t|never) /.test(`${first} ${second} `)) return 'do';
  if (/^(?:stop|end|quit)$/.test(first) && second.endsWith('ing')) return 'delete';
  const phrase = phraseAt(said, 0);
  if (phrase && isControl(phrase.words[0] ?? '')) return 'do';
  if (/^(?:what|which|who|whose|where|when|why|how)$/.test(first)) return 'read';
  if (phrase) return actOf(phrase.words[0] ?? '') ?? keptAct(phrase.words[0]) ?? actOf(first);
  const isNew = /^(?:an?|new|another)$/.test(second);
  switch (first) {
    case 'make':
    case 'put':
      return isNew ? 'create' : 'update';
    case 'start':
      // Undecided: `start a timer` makes something new, `start a container` does not.
      return 'do';
    case 'take':
      return isNew ? 'create' : actOf(first);
    case 'leave':
      return said.some((word) => SAID.has(word)) ? 'create' : 'delete';
    case 'give':
      // `give me the log` reads, while `give him access` changes something.
      return isForMe(second) ? brought(third) : 'update';
    case 'open':
      // In `open a new issue` a verb, in `open issues` an adjective.
      return isNew ? 'create' : undefined;
    case 'new':
    case 'another':
    case 'more':
      return 'create';
    case 'a':
    case 'an':
    case 'the':
    case 'my':
    case 'our':
      // `a new driver joins us`
      return second === 'new' ? 'create' : lastAct(said);
    case 'send':
    case 'bring':
      return isForMe(second) ? brought(third) : actOf(first);
    case 'let':
      return 'do';
    case 'stop':
    case 'end':
      return 'do';
    default:
      if (isControl(first)) return 'do';
      return (
        actOf(first) ??
        keptAct(first) ??
        askedAct(first, second) ??
        (isVerb(first, second) ? 'do' : lastAct(said))
      );
  }
};

const isForMe = (word: string): boolean => word === 'me' || word === 'us';

/** Act of a wish to be given something that exists, by the word before the thing: `give me the log` reads. */
const brought = (next: string): Act | undefined =>
  /^(?:the|all|my|our|every)$/.test(next) ? 'read' : undefined;

/** Nouns after which `leave` means to write: `leave a comment`. */
const SAID: ReadonlySet<string> = new Set(
  'feedback comment remark note message review reply rating opinion'.split(' '),
);

/** Creates a copy: `backup the database`. */
const keptAct = (word: string | undefined): Act | undefined =>
  /^(?:backup|snapshot|checkpoint)$/.test(word ?? '') ? 'create' : undefined;

/** The verb before a final pronoun: `my job hangs, cancel it`. */
const lastAct = (said: readonly string[]): Act | undefined => {
  if (!/^(?:it|them|that|this)$/.test(said.at(-1) ?? '')) return undefined;
  const verb = said.at(-2) ?? '';
  return isControl(verb) ? 'do' : actOf(verb);
};

/** Whether a word is a verb, judged by the next one: `star a repository`, `comment on it`. */
const isVerb = (word: string, next: string): boolean =>
  !/[^s]s$/.test(word) &&
  /^(?:an?|the|this|that|these|those|some|all|every|my|our|his|her|their|your|on|for|to|him|them|somebody|someone|everyone|everybody|people)$/.test(
    next,
  );

const wantsMany = (said: readonly string[], act: Act | undefined): boolean =>
  (act === undefined || act === 'read') &&
  !said.some((word) => /^(?:detail|details|one|single|info|specific)$/.test(word)) &&
  (/^(?:which|what|list|find|search|who|all|browse|how)$/.test(said[0] ?? '') ||
    said.some((word) => word.length > 3 && /[^su]s$/.test(word)));
