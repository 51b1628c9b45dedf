const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+$/;
const MOST = 10;

/**
 * The `Accept` header for the media types that a description promises: JSON first, then the others in
 * their order, and anything else as the last resort.
 */
export const acceptOf = (promised: readonly string[]): string => {
  const types = promised
    .map((type) => type.split(';', 1).join().trim().toLowerCase())
    .filter((type) => MEDIA_TYPE.test(type) && type !== '*/*');
  const json = types.filter(isJsonType);
  const others = types.filter((type) => !isJsonType(type));
  const named = types.length > 0 ? [...json, ...others] : ['application/json'];
  return [...new Set(named)].slice(0, MOST).concat('*/*;q=0.1').join(', ');
};

/** Whether a media type is written as JSON. Source: RFC 6838 §4.2.8. */
export const isJsonType = (type: string): boolean => /^[^;]+[/+]json *(?:;|$)/i.test(type);
