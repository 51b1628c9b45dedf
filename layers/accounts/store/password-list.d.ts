declare module '@zxcvbn-ts/language-common/dist/passwords.json.mjs' {
  /** Lower case, most frequent first. */
  const ranked: readonly string[];
  export default ranked;
}
