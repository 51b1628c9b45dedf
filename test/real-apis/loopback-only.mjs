// Loaded before everything else where the system cannot give a process a network of its own: refuses
// every connection and every look-up that leads beyond loopback, and listens on loopback alone.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const isLoopback = (host) => /^(localhost|127(\.\d+){3}|::1)$/.test(host ?? 'localhost');

const refuse = (host) => {
  throw new Error(`${host} lies beyond loopback`);
};

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  // Node hands on what it has normalized: a list whose first member are the options.
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof options === 'object' ? options.host : args[1];
  const isPath = typeof options === 'object' ? options.path : !Number.isInteger(Number(options));
  if (!isPath && !isLoopback(typeof host === 'string' ? host : undefined)) refuse(host);
  return connect.apply(this, args);
};

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (...args) {
  const [port, host] = args;
  // A port alone is one of every address of the machine.
  const isAlone = Number.isInteger(port) && typeof host !== 'string';
  return isAlone
    ? listen.call(this, port, '127.0.0.1', ...args.slice(1))
    : listen.apply(this, args);
};

const names = Object.keys(dns).filter((name) => /^(lookup|resolve|reverse)/.test(name));
for (const of of [dns, dns.promises]) {
  for (const name of names.filter((name) => typeof of[name] === 'function')) {
    const original = of[name];
    of[name] = (host, ...args) => (isLoopback(host) ? original(host, ...args) : refuse(host));
  }
}
dgram.Socket.prototype.send = () => refuse('UDP');
syncBuiltinESMExports();
