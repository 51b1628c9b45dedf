declare module '@zxcvbn-ts/language-common/dist/passwords.json.mjs' {
  /** In lower case, the commonest first. */
  const ranked: readonly string[];
  export default ranked;
}
