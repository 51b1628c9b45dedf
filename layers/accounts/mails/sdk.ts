/** What is used of the SDK, for one import on demand: of the whole package, nothing could be left out. */
export { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
