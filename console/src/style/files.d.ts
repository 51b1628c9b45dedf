/** Styles are files beside the scripts; one that is imported as text is bundled into its script. */
declare module '*.css' {
  const text: string;
  export default text;
}
