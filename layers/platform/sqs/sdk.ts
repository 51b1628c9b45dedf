/** Re-exports the SDK's parts in use: of a dynamically imported package, the bundler could drop nothing. */
export {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
