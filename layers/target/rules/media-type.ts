/** Whether a media type is that of a page for people. Source: WHATWG HTML §14. */
export const isPage = (mediaType: string): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(mediaType);
