/** Re-exports the SDK's parts in use: of a dynamically imported package, the bundler could drop nothing. */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
