const PACKED_FROM = 200_000;

/** Long bodies are compressed: the gateway takes 6 MB. Source: docs/decisions/descriptions.md, "Size and depth". */
export const jsonBody = async (
  body: object,
): Promise<{ readonly bytes: Blob; readonly mediaType: string }> => {
  const plain = new Blob([JSON.stringify(body)]);
  if (plain.size < PACKED_FROM) return { bytes: plain, mediaType: 'application/json' };
  const stream = plain.stream().pipeThrough(new CompressionStream('gzip'));
  return { bytes: await new Response(stream).blob(), mediaType: 'application/gzip' };
};
