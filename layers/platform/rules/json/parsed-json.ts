/**
 * A text that is no JSON. It says where the form breaks off, and nothing of what the text holds, which may be a secret:
 * V8's own error quotes what it has read, and Node prints the whole line of one that nobody catches.
 */
export class NotJson extends SyntaxError {
  override readonly name = 'NotJson';

  constructor(place: string | undefined) {
    super(place === undefined ? 'no JSON' : `no JSON (${place})`);
  }
}

/** Reads JSON, whoever wrote it. @throws NotJson, without a cause */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotJson(placeIn(error));
  }
};

/** Undefined if the text is no JSON. */
export const jsonOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** V8 says it at the end of a message, if it does not quote the text there. */
const PLACE = /\(line (\d{1,9}) column (\d{1,9})\)$/;

const placeIn = (error: unknown): string | undefined => {
  const [, line, column] = PLACE.exec(error instanceof Error ? error.message : '') ?? [];
  return line === undefined ? undefined : `line ${line}, column ${column}`;
};
