import { Fault } from '../rules/fault.ts';
import { type AwsAccess, errorName, faultOf, sdkClient } from '../aws/access.ts';

export interface ListedFile {
  readonly key: string;
}

export interface PutOptions {
  /** Short texts that come back with the file. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Gives it up. */
  readonly signal?: AbortSignal;
}

export interface FoundFile {
  readonly bytes: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
}

const ANSWER_MS = 10_000;
const SILENCE_MS = 5000;

/** Files of one bucket, for content that is too large for a table. */
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

    /** @param bytes - how many there must be @throws Fault if there is no such file or its size differs */
    get: async (Key: string, bytes: number): Promise<Uint8Array> => {
      const { sdk, client } = await open();
      const { Body, ContentLength } = await client
        .send(new sdk.GetObjectCommand({ Bucket, Key }))
        .catch(s3Fault);
      // Before the body is read, so that no more than what is expected is ever held in memory.
      if (!Body || ContentLength !== bytes) {
        Body?.transformToWebStream().cancel();
        throw new Fault('s3', `${Key} has ${ContentLength} bytes, not ${bytes}`);
      }
      return Body.transformToByteArray().catch(s3Fault);
    },

    /**
     * A file that may not be there.
     *
     * @throws Fault if it is larger than `maxBytes`
     */
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

    /** Some of those whose names begin so, by name, behind `StartAfter`. */
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
        // A stand-in has no host name per bucket.
        forcePathStyle: access.endpoint !== undefined,
        // Content carries our own SHA-256, which is checked when it is read.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      }),
    access,
    { answerMs: ANSWER_MS, silenceMs: SILENCE_MS, maxAttempts: 3 },
  );

/** S3 denies what is not there to whoever may not list the bucket. */
const NONE = ['AccessDenied', 'NoSuchKey'];

const undefinedWhereNone = (cause: unknown): undefined => {
  return NONE.includes(errorName(cause)) ? undefined : s3Fault(cause);
};
