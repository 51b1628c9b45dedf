import { gzipSync } from 'node:zlib';

/** What CloudWatch Logs sends a subscription. Source: Amazon CloudWatch Logs, "Real-time processing of log data with subscriptions". */
export const logEventOf = (logEvents: readonly object[], more: object = {}) => {
  const event = { messageType: 'DATA_MESSAGE', logStream: 'stream', logEvents, ...more };
  return { awslogs: { data: gzipSync(JSON.stringify(event)).toString('base64') } };
};
