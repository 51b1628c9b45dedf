/** Styles are bundled beside the scripts; one that is imported as text comes with its script. */
declare module '*.css' {
  const text: string;
  export default text;
}
