/** A place in a schema; its JSON pointer is put together only where somebody wants to know. */
export interface Path {
  readonly above: Path | undefined;
  /** `/items`, or `/properties/name`. */
  readonly step: string;
}

export const pointerOf = (path: Path | undefined): string => {
  let pointer = '';
  for (let at = path; at; at = at.above) pointer = at.step + pointer;
  return pointer;
};

/** The way from one place to another one below it. */
export const below = (from: Path, to: Path): string => pointerOf(to).slice(pointerOf(from).length);
