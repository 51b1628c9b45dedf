export const ACCOUNT_ID = '000000000000';

export const arnOf = (service: string, region: string, resource: string): string =>
  `arn:aws:${service}:${region}:${ACCOUNT_ID}:${resource}`;
