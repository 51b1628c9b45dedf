import type { SearchedOperation } from './search-index.ts';
import { rawWordsOf, stemOf } from './words.ts';

export type Act = 'read' | 'create' | 'update' | 'delete' | 'do';

const ACT_WORDS: Readonly<Record<Exclude<Act, 'do'>, string>> = {
  read:
    'get list show find search read view see display fetch retrieve browse check look query describe inspect count ' +
    'download lookup filter export compare preview tell is are was were do does did has have had which what who ' +
    'when where whose how why can whether info all whoami contains details',
  create:
    'create add make new insert register post upload book build generate draw write send report invite reserve ' +
    'plan jot order submit compose prepare open append import queue buy hire sign schedule remind share attach copy ' +
    'clone duplicate fork save store mint issue subscribe note enroll onboard file record pay charge refund notify warn tweet sell',
  update:
    'update change edit modify set patch rename replace correct adjust alter mark move assign switch reschedule ' +
    'convert toggle enable disable make put turn give tick reopen extend increase decrease raise lower resize scale promote configure',
  delete:
    'delete remove destroy drop erase discard purge clear cancel revoke unsubscribe unfollow kick clean wipe ' +
    'logout throw forget unshare disconnect unlink unregister detach unassign unpin unstar unwatch unban uninstall withdraw prune dismiss quit leave lift',
};

/** Words that control something which keeps existing: a wish with one of them is no wish to delete. */
const CONTROLS = new Set(
  (
    'stop start restart reboot reset pause unpause resume suspend freeze unfreeze halt shutdown interrupt kill ' +
    'terminate abort retry rerun trigger run execute invoke wake sleep lock unlock mute unmute activate deactivate'
  ).split(' '),
);

/** Keyed by the word as said, not by its stem: `does` has no stem of its own. */
const ACT_OF: ReadonlyMap<string, Act> = new Map(
  (Object.entries(ACT_WORDS) as [Act, string][]).flatMap(([act, words]) =>
    words.split(' ').map((word) => [word, act] as const),
  ),
);

/** Stems of words that name only the kind of act, such as "get" or "update". */
const PLAIN_ACTS: ReadonlySet<string> = new Set(
  (
    'get list show find read view see display fetch retrieve browse look create add make new insert update change ' +
    'edit modify set patch delete remove put all give do replace tell'
  )
    .split(' ')
    .map(stemOf),
);

export const actOf = (word: string): Act | undefined => ACT_OF.get(word);

export const isControl = (word: string): boolean => CONTROLS.has(word);

export const isPlainAct = (stem: string): boolean => PLAIN_ACTS.has(stem);

/** Act of an operation, by its HTTP method; of a POST, and in part of a GET or PUT, by its name, summary and path. */
export interface OperationAct {
  readonly act: Act;
  /** Whether the operation returns many items: its path ends with their plural name, or it reads by POST. */
  readonly isList: boolean;
  /** Whether its path ends with a verb, as `/orders/{id}/approve`. */
  readonly endsWithVerb?: boolean;
}

/** Verbs with which an operation only reads, even as a POST. */
const isReading = (word: string | undefined): boolean =>
  /^(?:get|list|search|find|fetch|retrieve|query|read|count)$/.test(word ?? '');

export const operationAct = (operation: SearchedOperation): OperationAct => {
  const its = plainAct(operation);
  return its.act !== 'read' && endsWithVerb(operation) ? { ...its, endsWithVerb: true } : its;
};

const endsWithVerb = ({ method, path }: SearchedOperation): boolean => {
  const [pathname = ''] = path.split('?', 1);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? '';
  if (last.includes('}') || !path.includes('}') || !method.startsWith('P')) return false;
  const [verb = ''] = rawWordsOf(last);
  return actOf(verb) !== undefined || isControl(verb);
};

const plainAct = ({ name, method, path, summary }: SearchedOperation): OperationAct => {
  const [pathname = ''] = path.split('?', 1);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? '';
  const endsWithOne = last.endsWith('}');
  const lastParts = rawWordsOf(last);
  const lastAct = endsWithOne ? undefined : actOf(lastParts.at(-1) ?? '');
  const words = [rawWordsOf(name)[0], rawWordsOf(summary)[0]?.replace(/s$/, '')];
  const saidAct = words.map((word) => actOf(word ?? '')).find((act) => act !== undefined);
  const isPlural =
    last.endsWith('s') ||
    /^(?:search|list|history|people|all|library)$/i.test(lastParts.at(-1) ?? '');
  switch (method) {
    case 'GET':
    case 'HEAD':
    case 'QUERY':
      if (lastAct && lastAct !== 'read' && !isPlural) return { act: 'do', isList: false };
      return { act: 'read', isList: !endsWithOne && isPlural };
    case 'DELETE':
      return { act: 'delete', isList: false };
    case 'PATCH':
      return { act: 'update', isList: false };
    case 'PUT':
      return { act: saidAct === 'create' ? 'create' : 'update', isList: false };
    default: {
      if (lastAct === 'read' || (saidAct === 'read' && !isPlural) || words.some(isReading))
        return { act: 'read', isList: true };
      if (lastAct !== undefined && !isPlural) return { act: lastAct, isList: false };
      if (saidAct !== undefined && saidAct !== 'read') return { act: saidAct, isList: false };
      if (endsWithOne) return { act: 'update', isList: false };
      return { act: isPlural ? 'create' : 'do', isList: false };
    }
  }
};

const FITS: Readonly<Record<Act, Readonly<Record<Act, number>>>> = {
  read: { read: 1.5, create: 0.5, update: 0.5, delete: 0.4, do: 0.6 },
  create: { read: 0.5, create: 1.5, update: 0.8, delete: 0.35, do: 1.1 },
  update: { read: 0.5, create: 0.8, update: 1.5, delete: 0.4, do: 1.2 },
  delete: { read: 0.4, create: 0.45, update: 0.7, delete: 1.6, do: 1 },
  do: { read: 0.8, create: 1.1, update: 1.1, delete: 0.45, do: 1.3 },
};

/** Factor for an operation that deletes, where the wish names no kind of act. */
const UNASKED_DELETION = 0.6;

/** Factor for an operation whose path ends with a verb, which a wish for any kind of act may mean. */
const ENDS_WITH_VERB = 1.1;

interface Asked {
  readonly act: Act | undefined;
  readonly wantsMany: boolean;
}

/** Factor for the rank of an operation: above 1 if it does what is asked for, below 1 if it does something else. */
export const actFits = (asked: Asked, its: OperationAct): number => {
  const fits = plainlyFits(asked, its);
  if (!its.endsWithVerb) return fits;
  return Math.max(fits, ENDS_WITH_VERB * plainlyFits(asked, { act: 'do', isList: false }));
};

const plainlyFits = (asked: Asked, { act, isList }: OperationAct): number => {
  if (asked.act === undefined) {
    if (act === 'delete') return UNASKED_DELETION;
    return act === 'read' ? (isList === asked.wantsMany ? 1.2 : 1.05) : 1;
  }
  const fits = FITS[asked.act][act];
  if (asked.act !== 'read' || act !== 'read') return fits;
  return isList === asked.wantsMany ? fits * 1.3 : fits;
};
