/** The only SDK exports in use, re-exported so that bundling with a dynamic import can drop the rest of the package. */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
