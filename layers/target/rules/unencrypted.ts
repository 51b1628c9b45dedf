/** Whether calls to an address would leave this machine without encryption: they are refused. */
export const isUnencrypted = (address: string): boolean =>
  address.startsWith('http:') && !LOOPBACK.test(URL.parse(address)?.hostname ?? '');

/** For APIs beside a local run. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
