/** What is used of the SDK, for one import on demand: of the whole package, nothing could be left out. */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
