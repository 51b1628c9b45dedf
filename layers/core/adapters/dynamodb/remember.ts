/** What one instance remembers of subjects, so that no number of them fills its memory. */
const MAX_REMEMBERED = 10_000;

/** Those that were remembered longest ago are forgotten first. */
export const remember = <Value>(map: Map<string, Value>, subject: string, value: Value): void => {
  map.delete(subject);
  map.set(subject, value);
  if (map.size <= MAX_REMEMBERED) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    break;
  }
};
