/** Signatures are not recomputed: key ids are 128 random bits that only started functions know, which is proof. */
export const signatureOf = (
  authorization: string | undefined,
): { accessKeyId: string; service: string } | undefined => {
  const scope =
    /^AWS4-HMAC-SHA256 +Credential=([^/, ]+)\/\d{8}\/[^/, ]+\/([^/, ]+)\/aws4_request[, ]/;
  const [, accessKeyId, service] = scope.exec(authorization ?? '') ?? [];
  return accessKeyId && service ? { accessKeyId, service } : undefined;
};
