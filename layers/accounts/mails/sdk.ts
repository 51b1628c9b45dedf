/** Re-exports the SDK's parts in use: of a dynamically imported package, the bundler could drop nothing. */
export { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
