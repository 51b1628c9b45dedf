/** Contains nothing of the input, which may be secret: V8's own error quotes it, and Node prints uncaught errors. */
export class NotJson extends SyntaxError {
  override readonly name = 'NotJson';

  constructor(place: string | undefined) {
    super(place === undefined ? 'no JSON' : `no JSON (${place})`);
  }
}

/** @throws NotJson, without a cause */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotJson(placeIn(error));
  }
};

export const jsonOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Position at the end of V8's message; missing where V8 quotes the text instead. */
const PLACE = /\(line (\d{1,9}) column (\d{1,9})\)$/;

const placeIn = (error: unknown): string | undefined => {
  const [, line, column] = PLACE.exec(error instanceof Error ? error.message : '') ?? [];
  return line === undefined ? undefined : `line ${line}, column ${column}`;
};
