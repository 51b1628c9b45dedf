/** Whether it is an HTML page. Source: WHATWG HTML §14. */
export const isPage = (mediaType: string): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(mediaType);
