/**
 * Who signed for which service. The signature itself is not recomputed: access key ids are 128 random bits that
 * only the started functions are given, so knowing one is the proof.
 */
export const signatureOf = (
  authorization: string | undefined,
): { accessKeyId: string; service: string } | undefined => {
  const scope =
    /^AWS4-HMAC-SHA256 +Credential=([^/, ]+)\/\d{8}\/[^/, ]+\/([^/, ]+)\/aws4_request[, ]/;
  const [, accessKeyId, service] = scope.exec(authorization ?? '') ?? [];
  return accessKeyId && service ? { accessKeyId, service } : undefined;
};
