/** Epoch seconds as the API tells times: `2026-11-20T12:00:00Z`. */
export const isoTime = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().replace('.000Z', 'Z');
