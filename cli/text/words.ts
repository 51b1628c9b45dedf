/** `1 tool`, `2 tools`. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `/paths/~1x/get and 2 other places` @param others - how many there are besides */
export const otherPlaces = (where: string, others: number): string => {
  if (others === 0) return where;
  const places = others === 1 ? 'another place' : `${others} other places`;
  return `${where} and ${places}`.trimStart();
};

/** With a full stop, unless it ends already. */
export const sentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`);

export const messageOf = (error: unknown): string => {
  const message = memberOf(error, 'message');
  return typeof message === 'string' ? message : String(error);
};

/** What kind of error it is. Its message may quote what was read or sent. */
export const errorName = (error: unknown): string =>
  String(memberOf(error, 'name') ?? typeof error);

/** The system's name for an error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined => {
  const code = memberOf(error, 'code');
  return typeof code === 'string' ? code : undefined;
};

/** The system's words for an error: of `ENOENT: no such file or directory, open 'x'` the middle. */
export const inWords = (error: unknown): string =>
  /^[A-Z\d_]+: ([^,]+)/.exec(messageOf(error))?.[1] ?? messageOf(error);

/** A member of an error, whatever its class: what Node throws need not be of this realm's. */
export const memberOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null
    ? (error as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The service calls a server a deployment; names of limits stay as operators write them, and names of servers. */
export const withServers = (text: string): string =>
  text
    .split(' ')
    .map((word) =>
      word.replace(DEPLOYMENT, (_, before: string, first: string, after: string) =>
        first === 'D' ? `${before}Server${after}` : `${before}server${after}`,
      ),
    )
    .join(' ');

const DEPLOYMENT = /^([("]?)([Dd])eployment(s?(?:'s)?[^\w-]*)$/;
