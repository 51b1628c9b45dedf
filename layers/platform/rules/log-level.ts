/** Levels from most verbose to least; there is nothing below `info`. */
export const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * @param text - a level; `info` if empty
 * @throws Error whose message tells the operator what is wrong
 */
export const readLogLevel = (text = ''): LogLevel => {
  const level = LOG_LEVELS.find((one) => one === (text || 'info'));
  if (level) return level;
  throw new Error(`write ${LOG_LEVELS.slice(0, -1).join(', ')} or ${LOG_LEVELS.at(-1)}`);
};

/** Records without a level are events, calls or commands, and always logged. */
export const isBelow = (level: LogLevel, record: Readonly<Record<string, unknown>>): boolean =>
  LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level)).some((below) => below === record['level']);
