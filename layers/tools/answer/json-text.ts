const QUOTE = 0x22;
export const BACKSLASH = 0x5c;

/** Whether a list or an object begins there. */
export const isContainer = (text: string, at: number): boolean =>
  text[at] === '[' || text[at] === '{';

export const skipBlanks = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
};

/** Behind the value that begins there; -1 if it has no end. What is between brackets is not looked at closely. */
export const valueEnd = (text: string, start: number): number => {
  if (text.charCodeAt(start) === QUOTE) return stringEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at) - 1;
      if (at < 0) return -1;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
    } else if (code === 0x5d || code === 0x7d) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === 0x2c || code <= 0x20)) {
      return at;
    }
  }
  return depth === 0 ? text.length : -1;
};

const stringEnd = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text.charCodeAt(at - 1) !== BACKSLASH || !isEscaped(text, at, start + 1)) return at + 1;
  }
  return -1;
};

/** Whether the backslash there is itself escaped. */
export const isEscaped = (text: string, at: number, from: number): boolean => {
  let before = 0;
  while (at - 1 - before >= from && text.charCodeAt(at - 1 - before) === BACKSLASH) before += 1;
  return before % 2 === 1;
};

/** Whether a text is JSON. Source: RFC 8259. */
export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
