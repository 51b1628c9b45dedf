const ENDS =
  /(?:^| )(?:any ?more|any longer|no longer|must not|may not|should not|mustn t|shouldn t|don t want)(?: |$)/;
const ENDS_FOR_ONESELF =
  /(?:^| )(?:any ?more|any longer|no longer (?:need|use|want)|don t want)(?: |$)/;

/**
 * `I do not want to hear of it any more`: asks that something ends. A question (`do we have some that no longer pay`)
 * does not, nor what is only said of oneself (`I may not have access`).
 */
export const isUnwanted = (said: readonly string[]): boolean => {
  const [first = '', second] = said;
  if (!/^(?:i|we|he|she|they|nobody|nothing|no|never|do)$/.test(first)) return false;
  if (first === 'do' && second !== 'not') return false;
  const ends = /^(?:i|we)$/.test(first) ? ENDS_FOR_ONESELF : ENDS;
  return ends.test(said.join(' '));
};
