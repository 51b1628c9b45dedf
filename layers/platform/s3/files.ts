import { Fault } from '../rules/fault.ts';
import { type AwsAccess, errorName, faultOf, sdkClient } from '../aws/access.ts';

export interface ListedFile {
  readonly key: string;
}

export interface PutOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface FoundFile {
  readonly bytes: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
}

const ANSWER_MS = 10_000;
const SILENCE_MS = 5000;

export const s3Files = (access: AwsAccess, Bucket: string) => {
  const open = s3Client(access);

  return {
    put: async (
      Key: string,
      Body: Uint8Array,
      { metadata: Metadata, signal: abortSignal }: PutOptions = {},
    ): Promise<void> => {
      const { sdk, client } = await open();
      const command = new sdk.PutObjectCommand({
        Bucket,
        Key,
        Body,
        ...(Metadata && { Metadata }),
      });
      await client.send(command, abortSignal && { abortSignal }).catch(s3Fault);
    },

    /** @param bytes - expected size @throws Fault if the file is missing or has another size */
    get: async (Key: string, bytes: number): Promise<Uint8Array> => {
      const { sdk, client } = await open();
      const { Body, ContentLength } = await client
        .send(new sdk.GetObjectCommand({ Bucket, Key }))
        .catch(s3Fault);
      // Checked before the body is read, so that no more than expected is held in memory.
      if (!Body || ContentLength !== bytes) {
        Body?.transformToWebStream().cancel();
        throw new Fault('s3', `${Key} has ${ContentLength} bytes, not ${bytes}`);
      }
      return Body.transformToByteArray().catch(s3Fault);
    },

    /** A file that may be missing. @throws Fault if it is larger than `maxBytes` */
    find: async (Key: string, maxBytes: number): Promise<FoundFile | undefined> => {
      const { sdk, client } = await open();
      const found = await client
        .send(new sdk.GetObjectCommand({ Bucket, Key }))
        .catch(undefinedWhereNone);
      if (!found) return undefined;
      const { Body, ContentLength = Infinity, Metadata = {} } = found;
      if (!Body || ContentLength > maxBytes) {
        Body?.transformToWebStream().cancel();
        throw new Fault('s3', `a file has ${ContentLength} bytes, more than ${maxBytes}`);
      }
      const bytes = await Body.transformToByteArray().catch(s3Fault);
      return { bytes, metadata: Metadata };
    },

    remove: async (Key: string): Promise<void> => {
      const { sdk, client } = await open();
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key })).catch(s3Fault);
    },

    /** Files by key prefix, ordered by key, after `StartAfter`. */
    page: async (
      Prefix: string,
      MaxKeys: number,
      StartAfter: string | undefined,
    ): Promise<{ readonly files: readonly ListedFile[]; readonly isLast: boolean }> => {
      const { sdk, client } = await open();
      const { Contents = [], IsTruncated } = await client
        .send(new sdk.ListObjectsV2Command({ Bucket, Prefix, MaxKeys, StartAfter }))
        .catch(s3Fault);
      return {
        files: Contents.map(({ Key: key = '' }) => ({ key })),
        isLast: IsTruncated !== true,
      };
    },

    list: async (Prefix: string): Promise<readonly ListedFile[]> => {
      const { sdk, client } = await open();
      const files: ListedFile[] = [];
      let ContinuationToken: string | undefined;
      do {
        const page = await client
          .send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
          .catch(s3Fault);
        for (const { Key: key = '' } of page.Contents ?? []) files.push({ key });
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
      return files;
    },
  };
};

const s3Fault = faultOf('s3');

const s3Client = (access: AwsAccess) =>
  sdkClient(
    () => import('./sdk.ts'),
    (sdk, settings) =>
      new sdk.S3Client({
        ...settings,
        // Emulators have no host name per bucket.
        forcePathStyle: access.endpoint !== undefined,
        // Files have our own SHA-256, which is checked on reading.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      }),
    access,
    { answerMs: ANSWER_MS, silenceMs: SILENCE_MS, maxAttempts: 3 },
  );

/** Without permission to list the bucket, S3 answers AccessDenied for missing keys. */
const NONE = ['AccessDenied', 'NoSuchKey'];

const undefinedWhereNone = (cause: unknown): undefined => {
  return NONE.includes(errorName(cause)) ? undefined : s3Fault(cause);
};
