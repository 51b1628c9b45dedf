/** From the most lines to the fewest. There is none below `info`: nothing is logged that a level would have to hide. */
export const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * @param text - a level; `info` if empty
 * @throws Error that says what is wrong, in words for the operator
 */
export const readLogLevel = (text = ''): LogLevel => {
  const level = LOG_LEVELS.find((one) => one === (text || 'info'));
  if (level) return level;
  throw new Error(`write ${LOG_LEVELS.slice(0, -1).join(', ')} or ${LOG_LEVELS.at(-1)}`);
};

/**
 * Whether a record is below a level. What has no level of its own is no remark on the side, but the record of an event,
 * of a call or of a command: it is below none.
 */
export const isBelow = (level: LogLevel, record: Readonly<Record<string, unknown>>): boolean =>
  LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level)).some((below) => below === record['level']);
