const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Whether JSON text nests deeper than `levels`, found without recursion. What reads a message
 * later (the schema check, the writer of the request's body) recurses, so that a body of a million
 * brackets would exhaust the stack there.
 */
export const nestsDeeperThan = (text: string, levels: number): boolean => {
  if (text.length <= 2 * levels) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (OPEN.has(code)) {
      depth++;
      if (depth > levels) return true;
    } else if (CLOSE.has(code)) depth--;
  }
  return false;
};
