/** What is used of the SDK, for one import on demand: of the whole package, nothing could be left out. */
export {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
