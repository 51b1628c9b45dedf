import { createHash, createHmac } from 'node:crypto';

export interface Identity {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

const BODY = 'Action=GetCallerIdentity&Version=2011-06-15';

/**
 * A signed STS request, which the service sends. The service's URL is signed, too, so that the
 * request is worth nothing at any other service.
 * Source: IAM User Guide, "Create a signed AWS API request"; AWS STS API, "GetCallerIdentity".
 * @param host - of STS, if not that of the region
 */
export const signedQuestion = (
  { region, accessKeyId, secretAccessKey, sessionToken }: Identity,
  baseUrl: string,
  at: Date,
  host = `sts.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`,
): string => {
  const date = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = date.slice(0, 8);
  const signed: Readonly<Record<string, string>> = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    host,
    'x-amz-date': date,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
    'x-hosted-mcp-server': baseUrl,
  };
  const names = Object.keys(signed).toSorted();
  const lines = names.map((name) => `${name}:${signed[name]}`);
  const canonical = ['POST', '/', '', ...lines, '', names.join(';'), sha256(BODY)].join('\n');
  const scope = [day, region, 'sts', 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const authorization = [
    `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}`,
    `SignedHeaders=${names.join(';')}`,
    `Signature=${hmac(key, text).toString('hex')}`,
  ].join(', ');
  const { 'content-type': _, host: __, ...headers } = signed;
  const shown = { region, headers: { ...headers, authorization } };
  return Buffer.from(JSON.stringify(shown)).toString('base64url');
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
