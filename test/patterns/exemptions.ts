/** What the prover cannot read or finds slower than linear, and why that does no harm. */
export interface Exemption {
  /** As it is written in the source. */
  readonly text: string;
  readonly why: string;
}

const ONE_PLACE = 'one character is looked at beyond what was read, so that nothing is read twice';
const OF_THE_SDK = "reads files of AWS's SDK when functions are bundled, nothing of strangers";
const OWN_PAGES = 'reads the pages of the service that the smoke test runs on, in the command line';
const SHORT_PATTERNS =
  'reads patterns of descriptions, of which none is longer than 1000 characters';

export const LITERAL_EXEMPTIONS: readonly Exemption[] = [
  {
    text: String.raw`/\{(?<rest>int|str|string|slug|uuid|float|path):(?!(?:int|str|string|slug|uuid|float|path|alpha|bool|datetime|decimal|double|guid|long|regex|required)\})(?<name>[A-Za-z_]\w*)\}/g`,
    why: 'reads from one brace to the next only, in paths of 2000 characters at most',
  },
  {
    text: String.raw`/(?<=\/)\((?<rest>\.[*+]|\\[dw][*+]?|\[[^[\]()]*\][*+]?)\)(?=\/|$)/g`,
    why: 'begins behind a slash and reads up to the next bracket, in paths of 2000 characters at most',
  },
  {
    text: String.raw`/\{(?<name>[A-Za-z_][\w.-]*)\}(?<rest>\([^(){}/]+\)[*+?]?|[*+?])(?=\/|$)/g`,
    why: 'reads from one brace or bracket to the next only, in paths of 2000 characters at most',
  },
  {
    text: String.raw`/^\s*\/\^[^]*\$\/[a-z]*i[a-z]*\s*$/`,
    why: 'reads patterns of descriptions that have 500 characters at most',
  },
  {
    text: String.raw`/(?<=\/@?(?::\w+[-.]){0,8}):(?<name>[A-Za-z_]\w*)(?<rest>(?:\([^()/]*\)|\{[^{}/]*\})?[?*+]?)(?=\/|$|[-.]:|\.\w+$|:)/g`,
    why: 'looks eight names back at most and reads up to the next slash, in paths of 2000 characters at most',
  },
  {
    text: String.raw`/(?<=\/)(?:\*(?<name>[A-Za-z_]\w*)?|\{\*\})$/g`,
    why: 'begins behind a slash and reads a name once, in paths of 2000 characters at most',
  },
  {
    text: String.raw`/(?<=\/)\[(?<rest>\[?\.{3})?(?<name>[A-Za-z_]\w*)\]{1,2}(?=\/|$)/g`,
    why: 'begins behind a slash and reads up to the next, in paths of 2000 characters at most',
  },
  {
    text: String.raw`/<(?!(?:int|float|string|path|uuid|str):)(?<name>[A-Za-z_]\w*):(?<rest>int|float|path|str|uuid|re(?::[^<>/]*)?)>/g`,
    why: 'reads from one bracket to the next only, in paths of 2000 characters at most',
  },
  {
    text: String.raw`/(?:^|\n)[ \t]*\|[ \t]*Permissions[ \t]*\|[ \t]*(?:\n[ \t]*\|[^\n]*\|[ \t]*)*(?=\n|$)/g`,
    why: 'reads a line once, and further lines only behind one with that word, in 8,000 characters at most, without runs of blanks',
  },
  {
    text: String.raw`/(?<![A-Za-z0-9])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,}|\d{10,})(?![A-Za-z0-9])/gi`,
    why: 'begins where a word does; reads operationIds of 500 characters at most',
  },
  {
    text: String.raw`/([_-]*)([A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^A-Za-z\d_-]+)/g`,
    why: 'reads names of 401 characters at most',
  },
  {
    text: String.raw`/\$ref['"]?\s*:\s*['"]?(?!['"#\s]|https?:)/i`,
    why: 'a $ref stands before every run of blanks that is read; reads the files of who runs the command line',
  },
  {
    text: String.raw`/\$ref['"]?\s*:\s*['"]?(?!['"#\s])/i`,
    why: 'a $ref stands before every run of blanks that is read; reads the files of who runs the command line',
  },
  {
    text: String.raw`/\[([^\]]*)\]\([^)]*\)/g`,
    why: 'reads the sentences of the table of settings, for npm start -- --help',
  },
  { text: String.raw`/<form\b([^>]*)>([\s\S]*?)<\/form>/g`, why: OWN_PAGES },
  { text: String.raw`/<input\b([^>]*)>/g`, why: OWN_PAGES },
  { text: String.raw`/\\(?:[1-9]\d*|k<[^>]*>)/y`, why: SHORT_PATTERNS },
  {
    text: String.raw`/\\p\{[^}]*\}|\\P\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[a-zA-Z]|\\[^1-9k]|\[(?:\\[^]|[^\]\\])*\]|[^\\[()*+?{|]/uy`,
    why: SHORT_PATTERNS,
  },
  {
    text: String.raw`/\((?:\?:|(\?<?[=!])|\?<[A-Za-z_$][\w$]*>)?(?!\?)/y`,
    why: SHORT_PATTERNS,
  },
  {
    text: String.raw`/^(?!(?:about|blob|data|file|ftp|https?|javascript|mailto|vbscript|wss?):)[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i`,
    why: 'looks for a few words at the beginning, and then goes from there to the end once',
  },
  { text: String.raw`/%(?![\da-f]{2})|[^\w.~%-]+/gi`, why: ONE_PLACE },
  {
    text: String.raw`/<!--[^]*?(?:-->|$)|<(script|style|template|svg)\b[^]*?(?:<\/\1\s*>|$)/gi`,
    why: 'takes the rest of the text where an end is missing; reads 10,000 characters at most',
  },
  {
    text:
      String.raw`/(?<![\w*])\*{1,3}(?=[^\s*])([^*\n]*[^\s*])\*{1,3}(?!\w)|` +
      '`{1,3}([^`\\n]+)`{1,3}/g',
    why: 'reads from one star or back-tick to the next only, and 10,000 characters at most',
  },
  {
    text: String.raw`/[ \t]*(?:\r?\n|$)/y`,
    why: 'is tried once behind each tag of a template, with text of the template between them',
  },
  {
    text: String.raw`/^[^\n]*?(?:[.!?](?=\s)|$)/m`,
    why: 'matches at the first place of every text, and goes on until it does',
  },
  {
    text: String.raw`/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[[\p{L}\p{N}_\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+/gv`,
    why: 'two classes of characters, of which each match takes what it can',
  },
  {
    text: String.raw`/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu`,
    why: ONE_PLACE,
  },
  {
    text: String.raw`/^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/`,
    why: 'what is longer than 200 characters is refused first',
  },
  {
    text: String.raw`/^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/`,
    why: 'reads the settings of who deploys; what is longer than 253 characters is refused first',
  },
  { text: String.raw`/\/node_modules\/@(?:aws-sdk|smithy)\/.*\.js$/`, why: OF_THE_SDK },
  {
    text: String.raw`/^n0_registry\.registerError\((?!ConditionalCheckFailed|TransactionCanceled).*$/gm`,
    why: OF_THE_SDK,
  },
  { text: String.raw`/^((?:export )?var \w+\$? = )\[([^]*?)\];$/gm`, why: OF_THE_SDK },
  { text: String.raw`/^import \{([^}]*)\} from "([^"]+)";$/gm`, why: OF_THE_SDK },
  { text: String.raw`/^export \{([^}]*)\} from "([^"]+)";$/gm`, why: OF_THE_SDK },
  { text: String.raw`/\s+as\s+/`, why: OF_THE_SDK },
  {
    text: String.raw`/([#:\w]+)\s*=\s*([#:\w]+)/g`,
    why: "reads the service's own key conditions in the local run",
  },
  {
    text: String.raw`/([^<>@\s]+@([^<>@\s]+))>?$/`,
    why: 'reads the address that mails of the local run come from',
  },
  {
    text: String.raw`/\$\{([^}]+)\}/g`,
    why: "reads the service's own policies in the local run",
  },
];

const BOUNDED = 'a pattern of a description, tried on texts only that are short enough for it';
const NAMES_IN_THE_CODE = 'put together from names in the code, without repetitions';

/** Patterns that are put together when the program runs. */
export const PUT_TOGETHER_EXEMPTIONS: readonly Exemption[] = [
  { text: 'new RegExp(`\\\\s${name}="([^"]*)"`)', why: OWN_PAGES },
  {
    text: "new RegExp(`^(?:null|${SCHEME}://${HOST}(?::[0-9]{1,5})?)$`, 'i')",
    why: 'goes to the end once: a colon ends the scheme, and the host has no slash',
  },
  {
    text: "new RegExp(text, 'u')",
    why: 'is made to learn whether it can be made, and matched with nothing',
  },
  {
    text: "new RegExp(`^${text}$`, 'u')",
    why: 'one character of a pattern, tried on one character',
  },
  { text: 'new RegExp(`^${ACCESS_TOKEN}${UUID}$`)', why: NAMES_IN_THE_CODE },
  {
    text: 'new RegExp(`^${REPLY_PART_SCHEME}://([0-9a-f]{64})/([1-9][0-9]{0,3})$`)',
    why: NAMES_IN_THE_CODE,
  },
  { text: "new RegExp(bounded.source, 'u')", why: BOUNDED },
  { text: "new RegExp(source, 'u')", why: BOUNDED },
  {
    text: "new RegExp(pattern, 'u')",
    why: 'a pattern that `safePattern` took, tried on an example of 120 characters at most',
  },
  {
    text: "new RegExp(`^${path.replaceAll('.', '\\\\.').replace(/\\{(\\w+)\\}/g, '(?<$1>[^/]+)')}/?$`)",
    why: 'the path of a route in the code: a slash ends each of its variables',
  },
  { text: "new RegExp(`^(${Object.keys(LEFT_OUT).join('|')})$`)", why: NAMES_IN_THE_CODE },
  {
    text: "new RegExp( `^${pattern .replace(/[\\\\^$.+()|{}[\\]]/g, '\\\\$&') .replaceAll('*', '.*') .replaceAll('?', '.')}$`, 's', )",
    why: "a pattern of the service's own policies, in the local run",
  },
  {
    text: "new RegExp(`^/${segments.map(segmentPattern).join('/')}$`, 's')",
    why: 'the path of a route in the code, in the local run: a slash ends each of its variables',
  },
  {
    text: "new RegExp( String.raw`^(?:\\((?:\\?:)?(?!\\?)|(?:${ATOMS}|${CLASS}|\\)|[^\\\\[\\]{}()*+?])(?:${TIMES})?)*$`, 'u', )",
    why: SHORT_PATTERNS,
  },
];
